// Writes values of any type: containers, pointers and records each have their own specialization.
namespace traits {
template <bool B, class T = void> struct enable_if {};
template <class T> struct enable_if<true, T> { typedef T type; };
template <class T> struct is_integer { static const bool value = false; };
template <> struct is_integer<int> { static const bool value = true; };
template <> struct is_integer<long> { static const bool value = true; };
template <> struct is_integer<char> { static const bool value = true; };
template <class T> struct is_pointer { static const bool value = false; };
template <class T> struct is_pointer<T *> { static const bool value = true; };
template <class...> struct make_void { typedef void type; };
template <class T> T &&declval();

template <class T, class = void> struct has_begin { static const bool value = false; };
template <class T>
struct has_begin<T, typename make_void<decltype(declval<T &>().begin())>::type> {
  static const bool value = true;
};
template <class T, class = void> struct has_name { static const bool value = false; };
template <class T>
struct has_name<T, typename make_void<decltype(declval<T &>().name())>::type> {
  static const bool value = true;
};
} // namespace traits

namespace containers {
template <class T> class vector {
  T *first, *last, *end_of_room;

public:
  typedef T value_type;
  vector() : first(0), last(0), end_of_room(0) {}
  ~vector() { delete[] first; }
  void push_back(const T &value) {
    if (last == end_of_room) {
      long n = last - first, room = n ? 2 * n : 2;
      T *more = new T[room];
      for (long i = 0; i < n; ++i)
        more[i] = first[i];
      delete[] first;
      first = more;
      last = more + n;
      end_of_room = more + room;
    }
    *last++ = value;
  }
  T *begin() { return first; }
  T *end() { return last; }
  const T *begin() const { return first; }
  const T *end() const { return last; }
};

template <class T> class named_vector : public vector<T> {
  const char *label;

public:
  explicit named_vector(const char *l = "") : label(l) {}
  const char *name() const { return label; }
};

template <class K, class V> struct map_entry {
  K key;
  V value;
};
template <class K, class V> class map : public vector<map_entry<K, V>> {
public:
  void put(const K &key, const V &value) {
    map_entry<K, V> entry = {key, value};
    this->push_back(entry);
  }
};
} // namespace containers

namespace output {
class sink {
  char buffer[256];
  int used;

public:
  sink() : used(0) {}
  sink &put(char c) {
    if (used < 255)
      buffer[used++] = c;
    return *this;
  }
  sink &text(const char *s) {
    while (*s)
      put(*s++);
    return *this;
  }
  int size() const { return used; }
};

template <class T, class Enable = void> struct writer;

template <class T>
struct writer<T, typename traits::enable_if<traits::is_integer<T>::value>::type> {
  static void write(sink &out, T value) {
    if (value < 0) {
      out.put('-');
      value = -value;
    }
    if (value > 9)
      write(out, value / 10);
    out.put(char('0' + value % 10));
  }
};
template <class T>
struct writer<T, typename traits::enable_if<traits::is_pointer<T>::value>::type> {
  static void write(sink &out, T value) {
    if (value)
      writer<typename traits::make_void<T>::type *>::write(out, 0);
  }
};
template <class T>
struct writer<T, typename traits::enable_if<traits::has_begin<T>::value>::type> {
  static void write(sink &out, const T &value) {
    out.put('[');
    for (const typename T::value_type *at = value.begin(); at != value.end(); ++at) {
      writer<typename T::value_type>::write(out, *at);
      out.put(',');
    }
    out.put(']');
  }
};
template <class T>
struct writer<T, typename traits::enable_if<traits::has_name<T>::value>::type> {
  static void write(sink &out, const T &value) { out.put('<').text(value.name()).put('>'); }
};
template <class K, class V> struct writer<containers::map_entry<K, V>, void> {
  static void write(sink &out, const containers::map_entry<K, V> &entry) {
    writer<K>::write(out, entry.key);
    out.put(':');
    writer<V>::write(out, entry.value);
  }
};

template <class T> sink &operator<<(sink &out, const T &value) {
  writer<T>::write(out, value);
  return out;
}
} // namespace output

struct user {
  const char *login;
  long id;
  const char *name() const { return login; }
};

int main() {
  using output::operator<<;
  output::sink out;
  containers::vector<int> numbers;
  for (int i = 0; i < 5; ++i)
    numbers.push_back(i * i);
  containers::map<int, user> users;
  user one = {"root", 0}, two = {"guest", 1000};
  users.put(1, one);
  users.put(2, two);
  containers::named_vector<user> group("admins");
  group.push_back(one);
  out << numbers << users << one << 42L;
  out << group;
  return out.size() ? 0 : 1;
}
