// Matrices that are computed by the compiler.
namespace math {
using size = decltype(sizeof 0);

template <class T> constexpr const T &larger(const T &a, const T &b) { return a < b ? b : a; }
template <class T> constexpr void swap(T &a, T &b) {
  T kept = a;
  a = b;
  b = kept;
}

template <class T> struct span {
  T *first;
  size count;
  constexpr T &operator[](size i) const { return first[i]; }
  constexpr T *begin() const { return first; }
  constexpr T *end() const { return first + count; }
};

template <class T> class buffer {
  T *items;
  size count;

public:
  constexpr explicit buffer(size n) : items(new T[n]{}), count(n) {}
  constexpr buffer(const buffer &other) : items(new T[other.count]{}), count(other.count) {
    for (size i = 0; i < count; ++i)
      items[i] = other.items[i];
  }
  constexpr buffer &operator=(buffer other) {
    swap(items, other.items);
    swap(count, other.count);
    return *this;
  }
  constexpr ~buffer() { delete[] items; }
  constexpr T &operator[](size i) { return items[i]; }
  constexpr const T &operator[](size i) const { return items[i]; }
  constexpr span<T> view() { return {items, count}; }
  constexpr size length() const { return count; }
};

template <class T> class matrix {
  size rows, columns;
  buffer<T> cells;

public:
  constexpr matrix(size r, size c) : rows(r), columns(c), cells(r * c) {}
  static constexpr matrix identity(size n) {
    matrix made(n, n);
    for (size i = 0; i < n; ++i)
      made.at(i, i) = 1;
    return made;
  }
  constexpr T &at(size r, size c) { return cells[r * columns + c]; }
  constexpr const T &at(size r, size c) const { return cells[r * columns + c]; }
  constexpr size height() const { return rows; }
  constexpr size width() const { return columns; }
  constexpr span<T> row(size r) { return {cells.view().first + r * columns, columns}; }
  constexpr matrix operator*(const matrix &other) const {
    matrix product(rows, other.columns);
    for (size r = 0; r < rows; ++r)
      for (size c = 0; c < other.columns; ++c)
        for (size k = 0; k < columns; ++k)
          product.at(r, c) += at(r, k) * other.at(k, c);
    return product;
  }
  constexpr matrix power(unsigned n) const {
    matrix result = identity(rows), base = *this;
    for (; n; n /= 2) {
      if (n % 2)
        result = result * base;
      base = base * base;
    }
    return result;
  }
};

template <class T> constexpr span<T> longest_row(matrix<T> m) {
  span<T> best = m.row(0);
  T most = 0;
  for (size r = 0; r < m.height(); ++r) {
    T sum = 0;
    for (T cell : m.row(r))
      sum += larger(cell, T(-cell));
    if (most < sum) {
      most = sum;
      best = m.row(r);
    }
  }
  return best;
}
} // namespace math

namespace sequences {
constexpr long fibonacci(unsigned n) {
  math::matrix<long> step(2, 2);
  step.at(0, 0) = step.at(0, 1) = step.at(1, 0) = 1;
  return step.power(n).at(0, 1);
}
constexpr math::matrix<long> pascal(math::size n) {
  math::matrix<long> made = math::matrix<long>::identity(n);
  for (math::size r = 0; r < n; ++r)
    for (math::size c = 0; c <= r; ++c)
      made.at(r, c) = c == 0 || c == r ? 1 : made.at(r - 1, c - 1) + made.at(r - 1, c);
  return made;
}
constexpr long largest(math::size n) {
  long found = 0;
  for (long value : math::longest_row(pascal(n)))
    found = math::larger(found, value);
  return found;
}
} // namespace sequences

static_assert(sequences::fibonacci(10) == 55);
static_assert(sequences::pascal(5).at(4, 2) == 6);
static_assert(sequences::largest(5) == 6);
int main() { return sequences::fibonacci(7) - 13; }
