// A host for plug-ins; each is a class with virtual functions.
extern "C" int puts(const char *);

namespace core {
template <class T> class handle {
  T *target;
  int *count;

public:
  explicit handle(T *t = nullptr) : target(t), count(t ? new int(1) : nullptr) {}
  handle(const handle &other) : target(other.target), count(other.count) {
    if (count)
      ++*count;
  }
  handle &operator=(const handle &other) {
    handle copy(other);
    T *t = target;
    int *c = count;
    target = copy.target, count = copy.count;
    copy.target = t, copy.count = c;
    return *this;
  }
  ~handle() {
    if (count && !--*count) {
      delete target;
      delete count;
    }
  }
  T *operator->() const { return target; }
  explicit operator bool() const { return target; }
};

struct version {
  int major, minor;
  bool fits(const version &wanted) const { return major == wanted.major && minor >= wanted.minor; }
};

class plugin {
public:
  virtual ~plugin();
  virtual const char *name() const = 0;
  virtual version needs() const { return {1, 0}; }
  virtual bool start(int argument);
  virtual void stop() {}
};
plugin::~plugin() {}
bool plugin::start(int argument) { return argument >= 0; }

namespace detail {
class logger : public plugin {
  int lines = 0;

public:
  const char *name() const override { return "logger"; }
  bool start(int argument) override;
  virtual void line(const char *text);
  int written() const { return lines; }
};
bool logger::start(int argument) {
  line("started");
  return plugin::start(argument);
}
void logger::line(const char *text) {
  ++lines;
  puts(text);
}

class rotating : public logger {
  int most;

public:
  explicit rotating(int m) : most(m) {}
  void rotate();
  void line(const char *text) override;
  const char *name() const override { return "rotating"; }
};
void rotating::rotate() { most += written(); }

class metrics : public plugin {
  long values[8] = {};

public:
  const char *name() const override { return "metrics"; }
  version needs() const override { return {1, 2}; }
  void stop() override;
  long &operator[](int i) { return values[i & 7]; }
};
void metrics::stop() {
  for (long &value : values)
    value = 0;
}
} // namespace detail

class host {
  handle<plugin> plugins[4];
  int used = 0;
  version own = {1, 3};

public:
  bool add(const handle<plugin> &p) {
    if (used == 4 || !own.fits(p->needs()))
      return false;
    plugins[used++] = p;
    return true;
  }
  int start() {
    int started = 0;
    for (int i = 0; i < used; ++i)
      if (plugins[i]->start(i))
        ++started;
    return started;
  }
  void stop() {
    while (used)
      plugins[--used]->stop();
  }
};

template <class P, class... Arguments> bool install(host &h, Arguments... arguments) {
  return h.add(handle<plugin>(new P(arguments...)));
}
} // namespace core

int main() {
  core::host host;
  bool all = core::install<core::detail::logger>(host);
  all &= core::install<core::detail::rotating>(host, 10);
  all &= core::install<core::detail::metrics>(host);
  int started = host.start();
  host.stop();
  return all && started == 3 ? 0 : 1;
}
