// Generated: a call of a marker that is never reached has to be removed by -O2.
extern "C" void dead_marker_0(void);
extern "C" void dead_marker_1(void);
extern "C" void dead_marker_2(void);
extern "C" void dead_marker_3(void);
extern "C" void observe(long);

namespace {
typedef unsigned int u32;
typedef signed char s8;
typedef unsigned short u16;

struct S0 {
  u32 f0;
  s8 f1 : 5;
  u16 f2;
  S0() : f0(7), f1(-3), f2(65533) {}
  u32 mix(u32 k) const { return (f0 ^ k) + static_cast<u32>(f1) * f2; }
};

class Base {
protected:
  int id;
  S0 state;

public:
  explicit Base(int n) : id(n) {}
  virtual ~Base() {}
  virtual int kind() const { return 0; }
  virtual int area(int scale) const { return id * scale; }
  int stepped(int by) {
    for (int i = 0; i < by; ++i)
      id += state.f2 & 1;
    return id;
  }
};

class Square final : public Base {
  int side;

public:
  Square(int n, int s) : Base(n), side(s) {}
  int kind() const override { return 1; }
  int area(int scale) const override { return side * side * scale; }
};

template <class T, int N> class Ring {
  T items[N];
  int head, count;

public:
  Ring() : head(0), count(0) {
    for (int i = 0; i < N; ++i)
      items[i] = T();
  }
  void add(T item) {
    items[(head + count) % N] = item;
    if (count < N)
      ++count;
    else
      head = (head + 1) % N;
  }
  T sum() const {
    T total = T();
    for (int i = 0; i < count; ++i)
      total += items[(head + i) % N];
    return total;
  }
  int size() const { return count; }
};

static u32 g_1 = 4;
static const s8 g_2[4] = {1, -1, 2, -2};
static int g_3;
static int *g_4 = &g_3;
static int **g_5 = &g_4;

static u32 safe_shift(u32 left, u32 right) { return right >= 32 ? left : left << right; }

static int func_4(Base *shape, int depth) {
  if (!shape)
    return depth;
  int found = shape->area(depth);
  if (shape->kind() == 1 && found < 0)
    dead_marker_0();
  return found + depth;
}

static u32 func_3(u32 p_1, s8 p_2) {
  u32 l_1 = p_1 & 3;
  for (int i = 0; i < 4; i++) {
    l_1 += static_cast<u32>(g_2[i] * p_2);
    if (l_1 == 0xdeadu)
      break;
  }
  if (l_1 > 3 + 0 * p_1 && p_2 == 0)
    dead_marker_1();
  return safe_shift(l_1, p_1);
}

static int func_2(int n) {
  Ring<int, 5> ring;
  for (int i = 0; i < n; ++i)
    ring.add(i);
  if (ring.size() > 5)
    dead_marker_2();
  return ring.sum();
}

static long func_1(int a, int b) {
  Square square(a, b);
  int before = a * a + b;
  **g_5 = a;
  long sum = func_4(&square, 3) + func_3(g_1, static_cast<s8>(b));
  if (g_4 == &g_3 && g_3 != a)
    dead_marker_3();
  sum += func_2(b & 7) + square.stepped(2);
  return sum + before;
}
} // namespace

int main(int argc, char **argv) {
  (void)argv;
  observe(func_1(argc, argc + 1));
  return 0;
}
