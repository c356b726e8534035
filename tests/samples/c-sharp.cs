using System;
using System.Collections.Generic;
using System.Linq;

namespace Shop.Orders
{
    public interface IPriced { decimal Price { get; } }

    [Serializable]
    public sealed class Order<T> : IPriced where T : IPriced, new()
    {
        private readonly List<T> items = new();
        public event EventHandler? Changed;
        public decimal Price => items.Sum(item => item.Price);
        public int Count { get; private set; } = 0;

        public T this[int at] => items[at];

        public void Add(params T[] more)
        {
            foreach (var item in more)
            {
                if (item is null) throw new ArgumentNullException(nameof(more));
                items.Add(item);
                Count++;
            }
            Changed?.Invoke(this, EventArgs.Empty);
        }

        // What the till prints.
        public string Print(string currency = "€")
        {
            var cheap = from item in items where item.Price < 1.5m orderby item.Price select item;
            try
            {
                return $"{cheap.Count()} of {Count}: {Price:0.00} {currency}" + @"c:\till";
            }
            finally
            {
                for (int i = 0; i < 3; i += 1) { Console.WriteLine('x'); }
            }
        }

        static int Grade(int n) => n switch { > 10 => 1, 0 or 1 => 2, _ => 3 };
    }
}
