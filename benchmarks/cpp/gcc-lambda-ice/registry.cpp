// A registry of components: each visitor is shown every entry that it can hold.
typedef decltype(sizeof 0) size_type;

namespace store {
template <class T> T &&move(T &value) { return static_cast<T &&>(value); }

template <class T> class array {
  T *items = nullptr;
  size_type used = 0, room = 0;
  void grow() {
    size_type more = room ? 2 * room : 4;
    T *fresh = new T[more];
    for (size_type i = 0; i < used; ++i)
      fresh[i] = move(items[i]);
    delete[] items;
    items = fresh;
    room = more;
  }

public:
  array() = default;
  array(const array &) = delete;
  array &operator=(const array &) = delete;
  ~array() { delete[] items; }
  void push(const T &item) {
    if (used == room)
      grow();
    items[used++] = item;
  }
  T *begin() { return items; }
  T *end() { return items + used; }
  const T &operator[](size_type i) const { return items[i]; }
  size_type size() const { return used; }
};

template <class Key, class Value> struct entry {
  Key key;
  Value value;
  bool operator<(const entry &other) const { return key < other.key; }
};

enum class status { missing, replaced, added };

template <class Key, class Value> class registry {
  using item = entry<Key, Value>;
  array<item> entries;
  unsigned visits = 0;

public:
  status add(Key key, Value value) {
    for (item &each : entries)
      if (each.key == key) {
        each.value = value;
        return status::replaced;
      }
    entries.push({key, value});
    return status::added;
  }
  const Value *find(const Key &key) {
    for (item &each : entries)
      if (each.key == key)
        return &each.value;
    return nullptr;
  }
  template <class... Visitors> unsigned visit(Visitors... visitors) {
    for (auto &[key, value] : entries) {
      ([&]<class Entry>(Entry handle) requires(sizeof(Visitors) <= sizeof(Entry)) {
        handle(value);
        ++visits;
      }(visitors), ...);
    }
    return visits;
  }
  size_type size() const { return entries.size(); }
};

template <class Registry> struct scope {
  Registry &registry;
  size_type before;
  explicit scope(Registry &r) : registry(r), before(r.size()) {}
  size_type added() const { return registry.size() - before; }
};
} // namespace store

struct component {
  int id = 0;
  float weight = 1;
  virtual float cost() const { return weight * id; }
  virtual ~component() {}
};
struct wheel : component {
  int spokes = 32;
  float cost() const override { return component::cost() + spokes; }
};

static float total;
static int count;

struct summing {
  template <class T> void operator()(const T &part) const { total += part.cost(); }
};
struct counting {
  template <class T> void operator()(const T &) const { ++count; }
};

int main() {
  store::registry<int, component> parts;
  store::scope opened(parts);
  for (int i = 0; i < 5; ++i) {
    component made;
    made.id = i;
    made.weight = i * 0.5f;
    if (parts.add(i % 4, made) == store::status::missing)
      return 2;
  }
  if (opened.added() != 4 || !parts.find(2))
    return 1;
  return parts.visit(summing{}, counting{}) == 8 && count == 4 ? 0 : 3;
}
