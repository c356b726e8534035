// Package shop counts what is sold.
package shop

import (
	"errors"
	"fmt"
)

type Item struct {
	Name  string `json:"name"`
	Price float64
}

type Priced interface {
	Total() (float64, error)
}

type Order[T any] struct {
	items []T
	seen  map[string]int
}

const limit, small = 0x10, 1.5e-3

var errEmpty = errors.New("empty")

func (o *Order[T]) Add(items ...T) int {
	for i, item := range items {
		if i >= limit {
			break
		}
		o.items = append(o.items, item)
	}
	return len(o.items)
}

func total(items []Item) (sum float64, err error) {
	defer func() { recover() }()
	switch n := len(items); {
	case n == 0:
		return 0, errEmpty
	default:
		for _, item := range items {
			sum += item.Price * small
		}
	}
	done := make(chan bool, 1)
	go func() { done <- true }()
	select {
	case ok := <-done:
		fmt.Printf("%v %q\n", ok, `raw`)
	}
	return sum, nil
}
