// Settings are read into optional values; some have defaults.
typedef decltype(sizeof 0) size_t;
inline void *operator new(size_t, void *place) noexcept { return place; }
extern "C" int strcmp(const char *, const char *);
extern const char *next_word();
extern void use(int, double, const char *);

namespace base {
template <class T> struct identity { typedef T type; };

template <class T> class optional {
  union {
    char nothing;
    T item;
  };
  bool engaged;

public:
  optional() : nothing(), engaged(false) {}
  optional(const T &value) : item(value), engaged(true) {}
  optional(const optional &other) : engaged(other.engaged) {
    if (engaged)
      new (&item) T(other.item);
  }
  optional &operator=(const optional &other) {
    reset();
    if (other.engaged)
      emplace(other.item);
    return *this;
  }
  ~optional() { reset(); }
  void reset() {
    if (engaged)
      item.~T();
    engaged = false;
  }
  T &emplace(const T &value) {
    reset();
    T *made = new (&item) T(value);
    engaged = true;
    return *made;
  }
  explicit operator bool() const { return engaged; }
  const T &operator*() const { return item; }
  const T *operator->() const { return &item; }
  T value_or(typename identity<T>::type other) const { return engaged ? item : other; }
};

struct point {
  int x, y;
  int length() const { return x * x + y * y; }
};

template <class A, class B> struct pair {
  A first;
  B second;
};
} // namespace base

namespace text {
class reader {
  const char *at;

public:
  explicit reader(const char *start) : at(start) {}
  bool done() const { return !at || !*at; }
  void skip() {
    while (!done() && (*at == ' ' || *at == '\t'))
      ++at;
  }
  base::optional<int> number() {
    skip();
    if (done() || *at < '0' || *at > '9')
      return base::optional<int>();
    int value = 0;
    while (!done() && *at >= '0' && *at <= '9')
      value = 10 * value + (*at++ - '0');
    return value;
  }
  base::optional<base::point> place() {
    base::optional<int> x = number();
    if (done() || *at != ',')
      return {};
    ++at;
    base::optional<int> y = number();
    if (!x || !y)
      return {};
    base::point made = {*x, *y};
    return made;
  }
};
} // namespace text

namespace settings {
enum kind { is_number, is_place, is_unknown };

struct config {
  base::optional<int> threads;
  base::optional<int> retries;
  base::optional<base::point> origin;
};

static kind kind_of(const char *key) {
  if (!strcmp(key, "threads") || !strcmp(key, "retries"))
    return is_number;
  return strcmp(key, "origin") ? is_unknown : is_place;
}

static bool set(config &out, const char *key, const char *value) {
  text::reader reader(value);
  int number;
  base::point place;
  switch (kind_of(key)) {
  case is_number:
    if (base::optional<int> found = reader.number())
      number = *found;
    else
      return false;
    break;
  case is_place:
    if (base::optional<base::point> found = reader.place())
      place = *found;
    break;
  default:
    return false;
  }
  if (key[0] == 't')
    out.threads = number;
  else if (key[0] == 'r')
    out.retries = number;
  else
    out.origin = place;
  return reader.done();
}

static int weight(const config &c) {
  int sum = c.threads.value_or(1) * 100 + c.retries.value_or(3);
  if (c.origin)
    sum += c.origin->length();
  return sum;
}
} // namespace settings

int run() {
  settings::config config;
  int bad = 0;
  while (const char *key = next_word()) {
    const char *value = next_word();
    if (!value || !settings::set(config, key, value))
      ++bad;
  }
  use(settings::weight(config), bad * 0.5, "settings");
  return bad;
}
