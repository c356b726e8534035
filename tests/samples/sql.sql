-- What is sold.
CREATE TABLE items (
  id INTEGER PRIMARY KEY,
  name VARCHAR(20) NOT NULL,
  price DECIMAL(10, 2) DEFAULT 0.5,
  shop INTEGER REFERENCES shops (id)
);

CREATE INDEX by_price ON items (price);

INSERT INTO items (id, name, price) VALUES (1, 'apple', 0.5), (2, 'it''s', 2);

SELECT i.name, COUNT(*) AS n, SUM(i.price * 2) AS total
FROM items AS i
LEFT JOIN shops s ON s.id = i.shop AND s.open = TRUE
WHERE i.price BETWEEN 1 AND 10
  AND i.name LIKE 'a%'
  AND i.id IN (SELECT id FROM sold WHERE day > '2024-01-31')
GROUP BY i.name
HAVING COUNT(*) > 1
ORDER BY total DESC
LIMIT 10;

WITH cheap AS (SELECT * FROM items WHERE price < 1)
SELECT CASE WHEN price IS NULL THEN 0 ELSE price END FROM cheap
UNION ALL
SELECT (1 + 2) * 3;

UPDATE items SET price = price * 1.1 WHERE id = 1;
DELETE FROM items WHERE name = 'pear';
CREATE VIEW dear AS SELECT name FROM items WHERE price > 5;
DROP TABLE items;
