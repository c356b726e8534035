import React, { useState } from 'react';

interface Props {
  name: string;
  items?: Array<{ id: number; price: number }>;
}

/* What is shown. */
export const Order: React.FC<Props> = ({ name, items = [] }) => {
  const [count, setCount] = useState<number>(0);
  const total = items.reduce((sum, item) => sum + item.price, 0);

  if (total > 0x10) {
    return <p className="dear">too much</p>;
  }
  return (
    <div className={count > 1 ? 'many' : 'few'} onClick={() => setCount(count + 1)}>
      <h1>Order of {name}</h1>
      {items.map((item) => (
        <Line key={item.id} {...item} />
      ))}
      <>
        <input type="text" disabled value={`${total} EUR`} />
        text &amp; more
      </>
    </div>
  );
};

function Line(props: { id: number; price: number }) {
  return <li>{props.price.toFixed(2)}</li>;
}
