// A cache of pages with a list of the ones used last.
typedef decltype(sizeof 0) size_t;
extern "C" void *malloc(size_t);
extern "C" void free(void *);
extern "C" void log_line(const char *, int);

namespace util {
template <class T> struct link {
  T *next = nullptr, *previous = nullptr;
};

template <class T> class chain {
  T *head = nullptr, *tail = nullptr;
  int count = 0;

public:
  void push_front(T *item) {
    item->next = head;
    item->previous = nullptr;
    if (head)
      head->previous = item;
    else
      tail = item;
    head = item;
    ++count;
  }
  void remove(T *item) {
    if (item->previous)
      item->previous->next = item->next;
    else
      head = item->next;
    if (item->next)
      item->next->previous = item->previous;
    else
      tail = item->previous;
    --count;
  }
  T *last() const { return tail; }
  T *first() const { return head; }
  int size() const { return count; }
};

class lock {
  int &depth;

public:
  explicit lock(int &d) : depth(d) { ++depth; }
  ~lock() { --depth; }
};
} // namespace util

namespace cache {
enum class state { clean, dirty, pinned };

struct page : util::link<page> {
  int number;
  state kind = state::clean;
  unsigned char bytes[64];
};

struct listener {
  virtual void evicted(int number) = 0;
  virtual ~listener() {}
};

class pool {
  util::chain<page> recent;
  listener *observer;
  int limit, depth = 0, hits = 0, misses = 0;

  static page *make(int number) {
    page *fresh = static_cast<page *>(malloc(sizeof(page)));
    if (fresh) {
      fresh->number = number;
      fresh->kind = state::clean;
      fresh->next = fresh->previous = nullptr;
    }
    return fresh;
  }
  void flush(page *old) {
    if (old->kind == state::dirty) {
      log_line("write", old->number);
      old->kind = state::clean;
    }
  }
  void release(page *old) {
    flush(old);
    recent.remove(old);
    free(old);
  }

public:
  pool(int most, listener *l) : observer(l), limit(most) {}

  page *find(int number) {
    for (page *each = recent.first(); each; each = each->next)
      if (each->number == number)
        return each;
    return nullptr;
  }

  page *get(int number) {
    util::lock guard(depth);
    if (page *known = find(number)) {
      ++hits;
      recent.remove(known);
      recent.push_front(known);
      return known;
    }
    ++misses;
    if (recent.size() >= limit)
      evict();
    page *fresh = make(number);
    if (fresh)
      recent.push_front(fresh);
    return fresh;
  }

  void evict() {
    page *old = recent.last();
    if (!old || old->kind == state::pinned)
      return;
    release(old);
    if (observer)
      observer->evicted(old->number);
  }

  void mark(int number) {
    if (page *found = find(number))
      found->kind = state::dirty;
  }
  int rate() const { return hits + misses ? 100 * hits / (hits + misses) : 0; }
  ~pool() {
    while (page *each = recent.first())
      release(each);
  }
};
} // namespace cache

class counting : public cache::listener {
  int seen = 0;

public:
  void evicted(int number) override {
    ++seen;
    log_line("evicted", number);
  }
  int total() const { return seen; }
};

int simulate(const int *requests, int count) {
  counting observer;
  cache::pool pool(3, &observer);
  for (int i = 0; i < count; ++i) {
    cache::page *page = pool.get(requests[i]);
    if (page && requests[i] % 2)
      pool.mark(requests[i]);
  }
  log_line("rate", pool.rate());
  return observer.total();
}

int main() {
  static const int requests[] = {1, 2, 3, 1, 4, 5, 2, 1};
  return simulate(requests, 8) > 0 ? 0 : 1;
}
