// Package main is a small warehouse inventory: ordered maps, an event log,
// a price book and a report, all on generic containers.
package main

import (
	"errors"
	"fmt"
	"os"
	"sort"
	"strings"
)

// Ordered is the set of keys that the containers accept.
type Ordered interface {
	~int | ~int64 | ~float64 | ~string
}

// Number is what can be summed.
type Number interface {
	~int | ~int64 | ~float64
}

var (
	errNotFound = errors.New("not found")
	errNegative = errors.New("stock would become negative")
)

type color bool

const (
	red   color = true
	black color = false
)

type node[K Ordered, V any] struct {
	key         K
	value       V
	left, right *node[K, V]
	color       color
	size        int
}

// Tree is a left-leaning red-black tree.
type Tree[K Ordered, V any] struct {
	root *node[K, V]
}

func isRed[K Ordered, V any](n *node[K, V]) bool {
	return n != nil && n.color == red
}

func size[K Ordered, V any](n *node[K, V]) int {
	if n == nil {
		return 0
	}
	return n.size
}

func rotateLeft[K Ordered, V any](h *node[K, V]) *node[K, V] {
	x := h.right
	h.right = x.left
	x.left = h
	x.color = h.color
	h.color = red
	x.size = h.size
	h.size = 1 + size(h.left) + size(h.right)
	return x
}

func rotateRight[K Ordered, V any](h *node[K, V]) *node[K, V] {
	x := h.left
	h.left = x.right
	x.right = h
	x.color = h.color
	h.color = red
	x.size = h.size
	h.size = 1 + size(h.left) + size(h.right)
	return x
}

func flip[K Ordered, V any](h *node[K, V]) {
	h.color = red
	h.left.color = black
	h.right.color = black
}

func (t *Tree[K, V]) Len() int { return size(t.root) }

func (t *Tree[K, V]) Put(key K, value V) {
	t.root = t.put(t.root, key, value)
	t.root.color = black
}

func (t *Tree[K, V]) put(h *node[K, V], key K, value V) *node[K, V] {
	if h == nil {
		return &node[K, V]{key: key, value: value, color: red, size: 1}
	}
	switch {
	case key < h.key:
		h.left = t.put(h.left, key, value)
	case key > h.key:
		h.right = t.put(h.right, key, value)
	default:
		h.value = value
	}
	if isRed(h.right) && !isRed(h.left) {
		h = rotateLeft(h)
	}
	if isRed(h.left) && isRed(h.left.left) {
		h = rotateRight(h)
	}
	if isRed(h.left) && isRed(h.right) {
		flip(h)
	}
	h.size = 1 + size(h.left) + size(h.right)
	return h
}

func (t *Tree[K, V]) Get(key K) (V, bool) {
	for n := t.root; n != nil; {
		switch {
		case key < n.key:
			n = n.left
		case key > n.key:
			n = n.right
		default:
			return n.value, true
		}
	}
	var zero V
	return zero, false
}

// Walk calls f in key order until it returns false.
func (n *node[K, V]) Walk(f func(K, V) bool) bool {
	if n == nil {
		return true
	}
	return n.left.Walk(f) && f(n.key, n.value) && n.right.Walk(f)
}

// Each visits every pair of the tree in key order.
func (t *Tree[K, V]) Each(f func(K, V)) {
	t.root.Walk(func(k K, v V) bool {
		f(k, v)
		return true
	})
}

// Keys returns the keys in order.
func (t *Tree[K, V]) Keys() []K {
	out := make([]K, 0, t.Len())
	t.Each(func(k K, _ V) { out = append(out, k) })
	return out
}

// Map applies f to each element.
func Map[A, B any](xs []A, f func(A) B) []B {
	out := make([]B, len(xs))
	for i, x := range xs {
		out[i] = f(x)
	}
	return out
}

// Filter keeps what p holds for.
func Filter[A any](xs []A, p func(A) bool) []A {
	var out []A
	for _, x := range xs {
		if p(x) {
			out = append(out, x)
		}
	}
	return out
}

// Fold is a left fold.
func Fold[A, B any](xs []A, b B, f func(B, A) B) B {
	for _, x := range xs {
		b = f(b, x)
	}
	return b
}

// Sum adds up.
func Sum[N Number](xs []N) N {
	return Fold(xs, N(0), func(a, b N) N { return a + b })
}

// GroupBy splits xs by a key.
func GroupBy[K Ordered, A any](xs []A, key func(A) K) *Tree[K, []A] {
	t := &Tree[K, []A]{}
	for _, x := range xs {
		k := key(x)
		old, _ := t.Get(k)
		t.Put(k, append(old, x))
	}
	return t
}

// Stack and Queue are the two simple containers.
type Stack[T any] struct{ items []T }

func (s *Stack[T]) Push(x T) { s.items = append(s.items, x) }

func (s *Stack[T]) Pop() (T, error) {
	var zero T
	if len(s.items) == 0 {
		return zero, errNotFound
	}
	x := s.items[len(s.items)-1]
	s.items = s.items[:len(s.items)-1]
	return x, nil
}

type Queue[T any] struct{ in, out Stack[T] }

func (q *Queue[T]) Add(x T) { q.in.Push(x) }

func (q *Queue[T]) Next() (T, error) {
	if len(q.out.items) == 0 {
		for {
			x, err := q.in.Pop()
			if err != nil {
				break
			}
			q.out.Push(x)
		}
	}
	return q.out.Pop()
}

// Stamp says when, and by whom, something was entered.
type Stamp struct {
	Seq  int
	User string
}

// Label is the text for the journal.
func (s Stamp) Label() string { return fmt.Sprintf("#%d %s", s.Seq, s.User) }

// Entry is a value with the stamp of its entry.
type Entry[T any] struct {
	Stamp
	Value T
}

// Labelled is what a journal can hold.
type Labelled interface{ Label() string }

// Journal keeps the last entries and prints them.
type Journal[T Labelled] struct {
	limit int
	rows  []T
}

func (j *Journal[T]) Write(row T) {
	j.rows = append(j.rows, row)
	if j.limit > 0 && len(j.rows) > j.limit {
		j.rows = j.rows[1:]
	}
}

// Last is the label of the newest row.
func (j Journal[T]) Last() string {
	if len(j.rows) == 0 {
		return "-"
	}
	return j.rows[len(j.rows)-1].Label()
}

// SKU names an article.
type SKU string

type Cents int64

func (c Cents) String() string { return fmt.Sprintf("%d.%02d", int64(c)/100, int64(c)%100) }

type Article struct {
	SKU   SKU
	Name  string
	Shelf string
	Price Cents
	Tags  []string
}

type Movement struct {
	SKU   SKU
	Delta int
	Note  string
}

type Inventory struct {
	articles Tree[SKU, Article]
	stock    Tree[SKU, int]
	pending  Queue[Movement]
	failed   Stack[error]
	journal  Journal[Entry[Movement]]
	settled  int
}

func (inv *Inventory) Register(a Article) {
	inv.articles.Put(a.SKU, a)
	inv.stock.Put(a.SKU, 0)
}

func (inv *Inventory) Post(m Movement) { inv.pending.Add(m) }

func (inv *Inventory) apply(m Movement) error {
	n, ok := inv.stock.Get(m.SKU)
	if !ok {
		return fmt.Errorf("%s: %w", m.SKU, errNotFound)
	}
	if n+m.Delta < 0 {
		return fmt.Errorf("%s: %w", m.SKU, errNegative)
	}
	inv.stock.Put(m.SKU, n+m.Delta)
	inv.settled++
	inv.journal.Write(Entry[Movement]{Stamp{inv.settled, "clerk"}, m})
	return nil
}

func (inv *Inventory) Settle() (done int) {
	for {
		m, err := inv.pending.Next()
		if err != nil {
			return done
		}
		if err := inv.apply(m); err != nil {
			inv.failed.Push(err)
			continue
		}
		done++
	}
}

func (inv *Inventory) All() []Article {
	var out []Article
	inv.articles.Each(func(_ SKU, a Article) { out = append(out, a) })
	return out
}

func (inv *Inventory) Value() Cents {
	return Sum(Map(inv.All(), func(a Article) Cents {
		n, _ := inv.stock.Get(a.SKU)
		return a.Price * Cents(n)
	}))
}

// Shelves sums the stock and its worth for each shelf.
func (inv *Inventory) Shelves() *Tree[string, struct {
	items int
	worth Cents
}] {
	t := &Tree[string, struct {
		items int
		worth Cents
	}]{}
	GroupBy(inv.All(), func(a Article) string { return a.Shelf }).Each(func(shelf string, as []Article) {
		var row struct {
			items int
			worth Cents
		}
		for _, a := range as {
			n, _ := inv.stock.Get(a.SKU)
			row.items += n
			row.worth += Cents(n) * a.Price
		}
		t.Put(shelf, row)
	})
	return t
}

type column struct {
	title string
	width int
	right bool
}

func pad(s string, c column) string {
	if len(s) >= c.width {
		return s[:c.width]
	}
	fill := strings.Repeat(" ", c.width-len(s))
	if c.right {
		return fill + s
	}
	return s + fill
}

func line(cols []column, cells ...string) string {
	parts := make([]string, len(cols))
	for i, c := range cols {
		parts[i] = pad(cells[i], c)
	}
	return strings.TrimRight(strings.Join(parts, "  "), " ")
}

func report(inv *Inventory) {
	cols := []column{{"sku", 8, false}, {"name", 20, false}, {"stock", 6, true}, {"price", 9, true}}
	fmt.Println(line(cols, Map(cols, func(c column) string { return c.title })...))
	for _, a := range inv.All() {
		n, _ := inv.stock.Get(a.SKU)
		fmt.Println(line(cols, string(a.SKU), a.Name, fmt.Sprint(n), a.Price.String()))
	}
	fmt.Println("total", inv.Value())
	fmt.Println("last entry", inv.journal.Last())
	inv.Shelves().Each(func(shelf string, row struct {
		items int
		worth Cents
	}) {
		fmt.Printf("shelf %-4s %5d %10s\n", shelf, row.items, row.worth)
	})
}

func tags(inv *Inventory) []string {
	seen := map[string]bool{}
	for _, a := range inv.All() {
		for _, t := range a.Tags {
			seen[t] = true
		}
	}
	var out []string
	for t := range seen {
		out = append(out, t)
	}
	sort.Strings(out)
	return out
}

func main() {
	inv := &Inventory{}
	for _, a := range []Article{
		{"bolt-m6", "bolt M6x40", "A1", 12, []string{"steel", "small"}},
		{"nut-m6", "nut M6", "A1", 5, []string{"steel", "small"}},
		{"plank-2", "plank 2 m", "C3", 1490, []string{"wood"}},
		{"glue-05", "wood glue 0.5 l", "B2", 899, []string{"chemical"}},
		{"saw-jp", "Japanese saw", "B1", 3450, []string{"tool", "steel"}},
	} {
		inv.Register(a)
	}
	for _, m := range []Movement{
		{"bolt-m6", 500, "delivery 17"}, {"nut-m6", 800, "delivery 17"},
		{"plank-2", 40, "delivery 18"}, {"glue-05", 24, "delivery 18"},
		{"saw-jp", 3, "delivery 19"}, {"saw-jp", -5, "order 204"},
		{"tape", -1, "order 205"}, {"plank-2", -12, "order 206"},
	} {
		inv.Post(m)
	}
	fmt.Println(inv.Settle(), "movements applied")
	report(inv)
	fmt.Println(strings.Join(tags(inv), ", "))
	cheap := Filter(inv.All(), func(a Article) bool { return a.Price < 1000 })
	fmt.Println(len(cheap), "cheap articles")
	if len(inv.failed.items) > 0 {
		for _, err := range inv.failed.items {
			fmt.Fprintln(os.Stderr, "inventory:", err)
		}
		os.Exit(1)
	}
}
