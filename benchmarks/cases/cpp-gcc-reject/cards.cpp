namespace std { template <class T> class initializer_list { const T* p; decltype(sizeof 0) n; public: constexpr const T* begin() const { return p; } constexpr const T* end() const { return p + n; } }; }

namespace tools {

using size_t = decltype(sizeof 0);

template <class T> struct remove_ref { using type = T; };
template <class T> struct remove_ref<T&> { using type = T; };
template <class T> struct remove_ref<T&&> { using type = T; };
template <class T> using remove_ref_t = typename remove_ref<T>::type;

template <class T> constexpr remove_ref_t<T>&& move(T&& t) noexcept { return static_cast<remove_ref_t<T>&&>(t); }
template <class T> constexpr T&& forward(remove_ref_t<T>& t) noexcept { return static_cast<T&&>(t); }
template <class T> constexpr void swap(T& a, T& b) {
    T c = move(a);
    a = move(b);
    b = move(c);
}

template <class A, class B> constexpr bool same = false;
template <class A> constexpr bool same<A, A> = true;

template <class T> concept ordered = requires(const T& a, const T& b) { a < b; };
template <class F, class... A> concept callable = requires(F f, A... a) { f(a...); };

template <class T, class E> class result {
    union {
        T value_;
        E error_;
    };
    bool ok_;

public:
    constexpr result(T v) : value_(v), ok_(true) {}
    constexpr result(E e, int) : error_(e), ok_(false) {}
    constexpr bool ok() const { return ok_; }
    constexpr const T& value() const { return value_; }
    constexpr const E& error() const { return error_; }
    template <class F> requires callable<F, T> constexpr auto map(F f) const -> result<decltype(f(value_)), E> {
        if (ok_) return f(value_);
        return {error_, 0};
    }
    constexpr T value_or(T other) const { return ok_ ? value_ : other; }
};

template <class T, size_t N> struct array {
    T data_[N];
    constexpr size_t size() const { return N; }
    constexpr T& operator[](size_t i) { return data_[i]; }
    constexpr const T& operator[](size_t i) const { return data_[i]; }
    constexpr T* begin() { return data_; }
    constexpr T* end() { return data_ + N; }
    constexpr const T* begin() const { return data_; }
    constexpr const T* end() const { return data_ + N; }
};

template <class T> class list {
    T* items_ = nullptr;
    size_t size_ = 0, room_ = 0;

    void grow() {
        room_ = room_ ? 2 * room_ : 4;
        T* next = new T[room_];
        for (size_t i = 0; i < size_; ++i) next[i] = move(items_[i]);
        delete[] items_;
        items_ = next;
    }

public:
    list() = default;
    list(const list& o) { for (const T& t : o) push(t); }
    list(list&& o) noexcept : items_(o.items_), size_(o.size_), room_(o.room_) {
        o.items_ = nullptr;
        o.size_ = o.room_ = 0;
    }
    list& operator=(list o) noexcept {
        swap(items_, o.items_);
        swap(size_, o.size_);
        swap(room_, o.room_);
        return *this;
    }
    ~list() { delete[] items_; }

    size_t size() const { return size_; }
    bool empty() const { return size_ == 0; }
    T* begin() { return items_; }
    T* end() { return items_ + size_; }
    const T* begin() const { return items_; }
    const T* end() const { return items_ + size_; }
    T& operator[](size_t i) { return items_[i]; }
    const T& operator[](size_t i) const { return items_[i]; }

    void push(T t) {
        if (size_ == room_) grow();
        items_[size_++] = move(t);
    }

    template <class F> requires callable<F, T> auto map(F f) const {
        list<decltype(f(*items_))> out;
        for (const T& t : *this) out.push(f(t));
        return out;
    }

    template <class F> list filter(F keep) const {
        list out;
        for (const T& t : *this)
            if (keep(t)) out.push(t);
        return out;
    }

    template <class A, class F> A fold(A a, F f) const {
        for (const T& t : *this) a = f(a, t);
        return a;
    }

    template <class Less = decltype([](const T& a, const T& b) { return a < b; })> void sort(Less less = {}) {
        for (size_t i = 1; i < size_; ++i)
            for (size_t j = i; j > 0 && less(items_[j], items_[j - 1]); --j) swap(items_[j], items_[j - 1]);
    }
};

template <ordered K, class V> class flat_map {
    struct entry {
        K key;
        V value;
        bool operator<(const entry& o) const { return key < o.key; }
    };
    list<entry> entries_;

public:
    V* find(const K& k) {
        for (entry& e : entries_)
            if (!(e.key < k) && !(k < e.key)) return &e.value;
        return nullptr;
    }
    V& operator[](const K& k) {
        if (V* v = find(k)) return *v;
        entries_.push({k, V{}});
        return entries_[entries_.size() - 1].value;
    }
    size_t size() const { return entries_.size(); }
    template <class F> void each(F f) const {
        for (const entry& e : entries_) f(e.key, e.value);
    }
};

class text {
    list<char> chars_;

public:
    text() = default;
    text(const char* s) { while (*s) chars_.push(*s++); }
    size_t size() const { return chars_.size(); }
    char operator[](size_t i) const { return chars_[i]; }
    text& operator+=(const text& o) {
        for (char c : o.chars_) chars_.push(c);
        return *this;
    }
    friend text operator+(text a, const text& b) { return a += b; }
    friend bool operator<(const text& a, const text& b) {
        for (size_t i = 0; i < a.size() && i < b.size(); ++i)
            if (a[i] != b[i]) return a[i] < b[i];
        return a.size() < b.size();
    }
    friend bool operator==(const text& a, const text& b) { return !(a < b) && !(b < a); }
};

text number(long n) {
    if (n < 0) return text("-") + number(-n);
    const char digit[2] = {static_cast<char>('0' + n % 10), 0};
    return n < 10 ? text(digit) : number(n / 10) + digit;
}

}  // namespace tools

namespace game {

using tools::list;
using tools::text;

enum class suit { clubs, diamonds, hearts, spades };

struct card {
    int rank = 0;
    suit color = suit::clubs;
    bool operator<(const card& o) const { return rank != o.rank ? rank < o.rank : color < o.color; }
};

struct player {
    text name;
    list<card> hand;
    int points = 0;
    bool operator<(const player& o) const { return name < o.name; }
};

class dice {
    unsigned state_;

public:
    explicit dice(unsigned seed) : state_(seed) {}
    unsigned next(unsigned n) {
        state_ = state_ * 1103515245u + 12345u;
        return (state_ >> 16) % n;
    }
};

class table {
    list<player> players_;
    list<card> deck_;
    dice dice_;

public:
    explicit table(unsigned seed) : dice_(seed) {
        for (int r = 2; r <= 14; ++r)
            for (suit s : {suit::clubs, suit::diamonds, suit::hearts, suit::spades}) deck_.push({r, s});
        for (tools::size_t i = deck_.size(); i > 1; --i) tools::swap(deck_[i - 1], deck_[dice_.next(i)]);
    }

    void join(const char* name) { players_.push({name, {}, 0}); }

    tools::result<int, const char*> deal(int each) {
        if (players_.empty()) return {"nobody here", 0};
        if (each * players_.size() > deck_.size()) return {"too few cards", 0};
        tools::size_t next = 0;
        for (int i = 0; i < each; ++i)
            for (player& p : players_) p.hand.push(deck_[next++]);
        for (player& p : players_) p.hand.sort();
        return static_cast<int>(next);
    }

    void score() {
        for (player& p : players_) {
            tools::flat_map<int, int> ranks;
            for (const card& c : p.hand) ++ranks[c.rank];
            ranks.each([&](int rank, int count) { p.points += count > 1 ? rank * count : 0; });
        }
        players_.sort([](const player& a, const player& b) { return a.points > b.points; });
    }

    text report() const {
        return players_.map([](const player& p) { return p.name + ": " + tools::number(p.points); })
            .fold(text(), [](text a, const text& b) { return a.size() ? a + ", " + b : b; });
    }
};

}  // namespace game

int main() {
    game::table t(42);
    for (const char* name : {"ann", "bob", "cat", "dan"}) t.join(name);
    auto dealt = t.deal(7).map([](int n) { return n * 2; });
    if (!dealt.ok()) return 1;
    t.score();
    return t.report().size() > 10 ? 0 : 2;
}
