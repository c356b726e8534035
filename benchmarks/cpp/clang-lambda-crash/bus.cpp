// An event bus: handlers are found by the type of the event, and may filter and convert.
namespace meta {
template <class T, T Value> struct constant { static constexpr T value = Value; };
using yes = constant<bool, true>;
using no = constant<bool, false>;
template <class A, class B> struct same : no {};
template <class A> struct same<A, A> : yes {};
template <class T> struct bare { using type = T; };
template <class T> struct bare<T &> { using type = T; };
template <class T> struct bare<T &&> { using type = T; };
template <class T> struct bare<const T> { using type = T; };
template <class T> using bare_t = typename bare<T>::type;
template <bool Test, class A, class B> struct choose { using type = A; };
template <class A, class B> struct choose<false, A, B> { using type = B; };
template <class... Ts> struct list {
  static constexpr unsigned size = sizeof...(Ts);
};
template <class T, class List> struct index_of;
template <class T, class... Rest> struct index_of<T, list<T, Rest...>> : constant<int, 0> {};
template <class T, class First, class... Rest>
struct index_of<T, list<First, Rest...>> : constant<int, 1 + index_of<T, list<Rest...>>::value> {};
} // namespace meta

namespace events {
struct event {
  unsigned long id = 0;
  virtual ~event() = default;
  virtual const char *name() const { return "event"; }
};
struct key_pressed : event {
  int code = 0;
  bool shift = false;
  const char *name() const override { return "key pressed"; }
};
struct mouse_moved : event {
  int x = 0, y = 0;
  const char *name() const override { return "mouse moved"; }
};
struct closed : event {};
using all = meta::list<key_pressed, mouse_moved, closed>;

template <class T> concept is_event = requires(T t) {
  t.id;
  { t.name() };
};
template <class T> concept has_place = is_event<T> && requires(T t) { t.x + t.y; };
} // namespace events

namespace bus {
template <class Event> class queue {
  static constexpr int capacity = 16;
  Event waiting[capacity];
  int first = 0, count = 0;

public:
  bool push(const Event &event) {
    if (count == capacity)
      return false;
    waiting[(first + count++) % capacity] = event;
    return true;
  }
  bool pop(Event &event) {
    if (!count)
      return false;
    event = waiting[first];
    first = (first + 1) % capacity;
    --count;
    return true;
  }
  int size() const { return count; }
};

struct statistics {
  int handled[events::all::size] = {};
  int dropped = 0;
  template <class Event> void note() { ++handled[meta::index_of<Event, events::all>::value]; }
};

template <events::is_event Event> class channel {
  using handler = void (*)(const Event &);
  handler handlers[8] = {};
  int used = 0;
  queue<Event> pending;
  statistics *figures;

public:
  explicit channel(statistics *s) : figures(s) {}
  void subscribe(handler h) {
    if (used < 8)
      handlers[used++] = h;
  }
  void post(const Event &event) {
    if (!pending.push(event))
      ++figures->dropped;
  }
  int run() {
    int done = 0;
    Event event;
    while (pending.pop(event)) {
      for (int i = 0; i < used; ++i)
        handlers[i](event);
      figures->note<Event>();
      ++done;
    }
    return done;
  }
};

template <class Event>
using weight_of = decltype([](events::is_event auto event) {
  return sizeof(event);
}(Event()));
using weight = weight_of<events::mouse_moved>;

template <class Event> struct measured {
  channel<Event> inner;
  weight bytes{};
  explicit measured(statistics *s) : inner(s) { bytes = sizeof(Event); }
  bool is_heavy() const { return bytes > 32; }
};

template <class... Events> class hub : measured<Events>... {
  statistics figures;

public:
  hub() : measured<Events>(&figures)... {}
  template <class Event> channel<Event> &of() { return static_cast<measured<Event> &>(*this).inner; }
  int run() { return (of<Events>().run() + ... + 0); }
  int heavy() const { return (static_cast<const measured<Events> &>(*this).is_heavy() + ... + 0); }
  const statistics &seen() const { return figures; }
};
} // namespace bus

static int last_x, keys;
static void on_move(const events::mouse_moved &event) { last_x = event.x; }
static void on_key(const events::key_pressed &event) { keys += event.shift ? 2 : 1; }

int main() {
  bus::hub<events::key_pressed, events::mouse_moved> hub;
  hub.of<events::mouse_moved>().subscribe(on_move);
  hub.of<events::key_pressed>().subscribe(on_key);
  for (int i = 0; i < 20; ++i) {
    events::mouse_moved moved;
    moved.x = i, moved.y = -i;
    hub.of<events::mouse_moved>().post(moved);
    events::key_pressed pressed;
    pressed.shift = i % 3 == 0;
    hub.of<events::key_pressed>().post(pressed);
  }
  int done = hub.run();
  return done == 32 && last_x == 15 && hub.seen().dropped == 8 && hub.heavy() == 0 ? 0 : 1;
}
