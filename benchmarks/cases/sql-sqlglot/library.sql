-- A town library: tables, some rows, and the queries of its monthly report.
CREATE TABLE branch (id INTEGER, name TEXT, city TEXT, opened DATE);
CREATE TABLE member (id INTEGER, name TEXT, email TEXT, branch_id INTEGER, joined DATE, born DATE, status TEXT);
CREATE TABLE author (id INTEGER, name TEXT, country TEXT, born INTEGER);
CREATE TABLE book (id INTEGER, title TEXT, author_id INTEGER, year INTEGER, genre TEXT, pages INTEGER, price REAL);
CREATE TABLE copy (id INTEGER, book_id INTEGER, branch_id INTEGER, bought DATE, state TEXT);
CREATE TABLE loan (id INTEGER, copy_id INTEGER, member_id INTEGER, taken DATE, due DATE, returned DATE);
CREATE TABLE fine (id INTEGER, loan_id INTEGER, amount REAL, paid INTEGER);
CREATE TABLE event (id INTEGER, branch_id INTEGER, title TEXT, day DATE, seats INTEGER);
CREATE TABLE visit (event_id INTEGER, member_id INTEGER, rating INTEGER);

INSERT INTO branch VALUES (1, 'Central', 'Northam', '1971-05-02'), (2, 'Harbour', 'Northam', '1990-09-12'), (3, 'Hill', 'Southey', '2004-01-20');
INSERT INTO member VALUES (1, 'Ada Byron', 'ada@example.org', 1, '2019-02-01', '1990-12-10', 'active'), (2, 'Ben Okri', 'ben@example.org', 1, '2019-03-15', '1985-03-15', 'active');
INSERT INTO member VALUES (3, 'Cleo Hart', 'cleo@example.org', 2, '2020-07-09', '2001-06-30', 'active'), (4, 'Dan Wu', 'dan@example.org', 3, '2021-11-30', '1978-01-05', 'blocked');
INSERT INTO author VALUES (1, 'M. Shelley', 'UK', 1797), (2, 'J. Verne', 'FR', 1828), (3, 'S. Lem', 'PL', 1921), (4, 'U. Le Guin', 'US', 1929);
INSERT INTO book VALUES (1, 'Frankenstein', 1, 1818, 'novel', 280, 7.5), (2, 'The Mysterious Island', 2, 1875, 'novel', 620, 12.0), (3, 'Solaris', 3, 1961, 'sf', 204, 9.9), (4, 'The Dispossessed', 4, 1974, 'sf', 387, 11.25);
INSERT INTO copy VALUES (1, 1, 1, '2015-01-10', 'good'), (2, 1, 2, '2016-01-10', 'worn'), (3, 2, 1, '2015-02-11', 'good'), (4, 3, 3, '2018-05-05', 'good'), (5, 4, 2, '2019-09-09', 'new');
INSERT INTO loan VALUES (1, 1, 1, '2022-01-03', '2022-01-24', '2022-01-20'), (2, 3, 2, '2022-01-05', '2022-01-26', '2022-02-02'), (3, 4, 4, '2022-01-07', '2022-01-28', NULL), (4, 5, 3, '2022-02-01', '2022-02-22', '2022-02-20'), (5, 2, 1, '2022-02-11', '2022-03-04', NULL);
INSERT INTO fine VALUES (1, 2, 1.4, 1), (2, 3, 9.6, 0);
INSERT INTO event VALUES (1, 1, 'Reading night', '2022-01-15', 40), (2, 2, 'Poetry slam', '2022-02-12', 60);
INSERT INTO visit VALUES (1, 1, 5), (1, 2, 4), (2, 3, 5);

-- 1. loans of each branch and month
SELECT b.name, substr(l.taken, 1, 7) AS month, COUNT(*) AS loans
FROM loan AS l
JOIN copy AS c ON c.id = l.copy_id
JOIN branch AS b ON b.id = c.branch_id
GROUP BY b.name, substr(l.taken, 1, 7)
ORDER BY b.name, month;

-- 2. the ten books lent most
SELECT k.title, a.name AS author, COUNT(l.id) AS loans
FROM book AS k
JOIN author AS a ON a.id = k.author_id
LEFT JOIN copy AS c ON c.book_id = k.id
LEFT JOIN loan AS l ON l.copy_id = c.id
GROUP BY k.title, a.name
HAVING COUNT(l.id) > 0
ORDER BY loans DESC, k.title
LIMIT 10;

-- 3. members with an open loan that is late
SELECT m.name, m.email, l.due
FROM member AS m
JOIN loan AS l ON l.member_id = m.id
WHERE l.returned IS NULL AND l.due < '2022-03-01' AND m.status <> 'blocked'
ORDER BY l.due;

-- 4. fines that are not paid, by branch
SELECT b.name, SUM(f.amount) AS owed, MAX(f.amount) AS worst
FROM fine AS f
JOIN loan AS l ON l.id = f.loan_id
JOIN member AS m ON m.id = l.member_id
JOIN branch AS b ON b.id = m.branch_id
WHERE f.paid = 0
GROUP BY b.name;

-- 5. copies never lent
SELECT k.title, c.id AS copy, c.state
FROM copy AS c
JOIN book AS k ON k.id = c.book_id
WHERE NOT EXISTS (SELECT 1 FROM loan AS l WHERE l.copy_id = c.id)
ORDER BY k.title;

-- 6. classes of length
SELECT CASE WHEN pages < 250 THEN 'short' WHEN pages < 500 THEN 'middle' ELSE 'long' END AS class,
       COUNT(*) AS books, AVG(price) AS price
FROM book
GROUP BY CASE WHEN pages < 250 THEN 'short' WHEN pages < 500 THEN 'middle' ELSE 'long' END;

-- 7. active members above the mean number of loans
WITH per_member AS (
    SELECT member_id, COUNT(*) AS n FROM loan GROUP BY member_id
), mean AS (
    SELECT AVG(n) AS avg_n FROM per_member
)
SELECT m.name, p.n
FROM per_member AS p
CROSS JOIN mean
JOIN member AS m ON m.id = p.member_id
WHERE p.n >= mean.avg_n AND m.status = 'active';

-- 8. each branch with its newest member and the number of its events
SELECT b.name,
       (SELECT COUNT(*) FROM event AS e WHERE e.branch_id = b.id) AS events,
       (SELECT MAX(m.joined) FROM member AS m WHERE m.branch_id = b.id) AS newest
FROM branch AS b
ORDER BY b.name;

-- 9. rank of the books of a genre by price
SELECT title, genre, price, RANK() OVER (PARTITION BY genre ORDER BY price DESC) AS place
FROM book
WHERE year BETWEEN 1800 AND 1980;

-- 10. what everybody did, in one list
SELECT m.name, 'loan' AS kind, l.taken AS day FROM loan AS l JOIN member AS m ON m.id = l.member_id
UNION ALL
SELECT m.name, 'visit' AS kind, e.day AS day FROM visit AS v JOIN event AS e ON e.id = v.event_id JOIN member AS m ON m.id = v.member_id
ORDER BY day;

-- 11. readers of science fiction who rated an event
SELECT DISTINCT m.name
FROM member AS m
WHERE m.id IN (SELECT l.member_id FROM loan AS l JOIN copy AS c ON c.id = l.copy_id JOIN book AS k ON k.id = c.book_id WHERE k.genre = 'sf')
  AND m.id IN (SELECT v.member_id FROM visit AS v WHERE v.rating >= 4);

-- 12. authors without a copy in a good state
SELECT a.name, a.country
FROM author AS a
LEFT JOIN (
    SELECT k.author_id, COUNT(*) AS good
    FROM book AS k
    JOIN copy AS c ON c.book_id = k.id
    WHERE c.state IN ('good', 'new')
    GROUP BY k.author_id
) AS g ON g.author_id = a.id
WHERE COALESCE(g.good, 0) = 0;

-- 13. value of the stock of each town
SELECT b.city, COUNT(DISTINCT c.book_id) AS titles, SUM(k.price) AS worth
FROM copy AS c
JOIN book AS k ON k.id = c.book_id
JOIN branch AS b ON b.id = c.branch_id
GROUP BY b.city
ORDER BY worth DESC;
