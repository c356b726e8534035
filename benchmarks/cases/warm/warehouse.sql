-- nightly warehouse build: staging tables, marts and data-quality checks

CREATE TABLE customer (
    id INTEGER,
    parent_id INTEGER,
    name VARCHAR,
    status VARCHAR,
    amount DECIMAL(12,2),
    qty INTEGER,
    created_at TIMESTAMP,
    updated_at TIMESTAMP,
    country VARCHAR,
    score DOUBLE
);

INSERT INTO customer VALUES
    (1, NULL, 'customer-1', 'new', 972.96, 18, TIMESTAMP '2023-04-13 08:18:00', TIMESTAMP '2023-09-01 00:00:00', 'DE', 6.767),
    (2, 1, 'customer-2', 'void', 42.65, 2, TIMESTAMP '2023-02-13 08:24:00', TIMESTAMP '2023-09-01 00:00:00', 'DE', 5.612),
    (3, 2, 'customer-3', 'open', 589.78, 38, TIMESTAMP '2023-05-10 08:58:00', TIMESTAMP '2023-09-01 00:00:00', 'FR', 6.981),
    (4, 2, 'customer-4', 'closed', 204.79, 14, TIMESTAMP '2023-06-11 08:15:00', TIMESTAMP '2023-09-01 00:00:00', 'BR', 0.967),
    (5, 3, 'customer-5', 'closed', 57.95, 30, TIMESTAMP '2023-02-16 08:15:00', TIMESTAMP '2023-09-01 00:00:00', 'US', 8.294);

CREATE TABLE orders (
    id INTEGER,
    parent_id INTEGER,
    name VARCHAR,
    status VARCHAR,
    amount DECIMAL(12,2),
    qty INTEGER,
    created_at TIMESTAMP,
    updated_at TIMESTAMP,
    country VARCHAR,
    score DOUBLE
);

INSERT INTO orders VALUES
    (1, NULL, 'orders-1', 'open', 924.49, 5, TIMESTAMP '2023-01-13 08:28:00', TIMESTAMP '2023-09-01 00:00:00', 'DE', 8.553),
    (2, 1, 'orders-2', 'void', 365.34, 30, TIMESTAMP '2023-06-12 08:33:00', TIMESTAMP '2023-09-01 00:00:00', 'US', 2.095),
    (3, 2, 'orders-3', 'new', 799.40, 11, TIMESTAMP '2023-04-12 08:39:00', TIMESTAMP '2023-09-01 00:00:00', 'BR', 2.699),
    (4, 3, 'orders-4', 'open', 898.33, 21, TIMESTAMP '2023-01-13 08:12:00', TIMESTAMP '2023-09-01 00:00:00', 'US', 4.012),
    (5, 1, 'orders-5', 'open', 744.41, 21, TIMESTAMP '2023-04-17 08:35:00', TIMESTAMP '2023-09-01 00:00:00', 'BR', 1.429),
    (6, 2, 'orders-6', 'open', 977.47, 36, TIMESTAMP '2023-05-16 08:47:00', TIMESTAMP '2023-09-01 00:00:00', 'BR', 3.620),
    (7, 2, 'orders-7', 'void', 120.15, 4, TIMESTAMP '2023-02-12 08:50:00', TIMESTAMP '2023-09-01 00:00:00', 'FR', 7.921);

CREATE TABLE lineitem (
    id INTEGER,
    parent_id INTEGER,
    name VARCHAR,
    status VARCHAR,
    amount DECIMAL(12,2),
    qty INTEGER,
    created_at TIMESTAMP,
    updated_at TIMESTAMP,
    country VARCHAR,
    score DOUBLE
);

INSERT INTO lineitem VALUES
    (1, NULL, 'lineitem-1', 'new', 505.32, 25, TIMESTAMP '2023-08-18 08:26:00', TIMESTAMP '2023-09-01 00:00:00', 'DE', 6.803),
    (2, 1, 'lineitem-2', 'closed', 841.12, 22, TIMESTAMP '2023-02-14 08:37:00', TIMESTAMP '2023-09-01 00:00:00', 'FR', 4.537),
    (3, 2, 'lineitem-3', 'open', 666.42, 7, TIMESTAMP '2023-05-18 08:48:00', TIMESTAMP '2023-09-01 00:00:00', 'FR', 1.528),
    (4, 1, 'lineitem-4', 'new', 786.04, 21, TIMESTAMP '2023-08-10 08:17:00', TIMESTAMP '2023-09-01 00:00:00', 'US', 8.787),
    (5, 3, 'lineitem-5', 'open', 76.92, 16, TIMESTAMP '2023-02-11 08:56:00', TIMESTAMP '2023-09-01 00:00:00', 'BR', 8.160),
    (6, 5, 'lineitem-6', 'open', 169.28, 31, TIMESTAMP '2023-03-14 08:43:00', TIMESTAMP '2023-09-01 00:00:00', 'BR', 9.644),
    (7, 5, 'lineitem-7', 'open', 935.47, 20, TIMESTAMP '2023-07-15 08:38:00', TIMESTAMP '2023-09-01 00:00:00', 'BR', 1.210),
    (8, 2, 'lineitem-8', 'new', 444.13, 2, TIMESTAMP '2023-04-13 08:10:00', TIMESTAMP '2023-09-01 00:00:00', 'DE', 7.078);

CREATE TABLE product (
    id INTEGER,
    parent_id INTEGER,
    name VARCHAR,
    status VARCHAR,
    amount DECIMAL(12,2),
    qty INTEGER,
    created_at TIMESTAMP,
    updated_at TIMESTAMP,
    country VARCHAR,
    score DOUBLE
);

INSERT INTO product VALUES
    (1, NULL, 'product-1', 'open', 89.34, 3, TIMESTAMP '2023-06-11 08:42:00', TIMESTAMP '2023-09-01 00:00:00', 'FR', 2.785),
    (2, 1, 'product-2', 'open', 707.78, 9, TIMESTAMP '2023-08-13 08:40:00', TIMESTAMP '2023-09-01 00:00:00', 'BR', 1.904),
    (3, 1, 'product-3', 'void', 465.38, 28, TIMESTAMP '2023-07-17 08:56:00', TIMESTAMP '2023-09-01 00:00:00', 'DE', 6.734),
    (4, 3, 'product-4', 'new', 80.44, 26, TIMESTAMP '2023-06-11 08:25:00', TIMESTAMP '2023-09-01 00:00:00', 'FR', 1.902),
    (5, 4, 'product-5', 'open', 553.96, 12, TIMESTAMP '2023-05-17 08:25:00', TIMESTAMP '2023-09-01 00:00:00', 'DE', 4.431);

CREATE TABLE supplier (
    id INTEGER,
    parent_id INTEGER,
    name VARCHAR,
    status VARCHAR,
    amount DECIMAL(12,2),
    qty INTEGER,
    created_at TIMESTAMP,
    updated_at TIMESTAMP,
    country VARCHAR,
    score DOUBLE
);

INSERT INTO supplier VALUES
    (1, NULL, 'supplier-1', 'new', 855.77, 35, TIMESTAMP '2023-01-11 08:58:00', TIMESTAMP '2023-09-01 00:00:00', 'FR', 1.663),
    (2, 1, 'supplier-2', 'void', 281.16, 26, TIMESTAMP '2023-01-12 08:34:00', TIMESTAMP '2023-09-01 00:00:00', 'DE', 9.853),
    (3, 2, 'supplier-3', 'void', 374.88, 28, TIMESTAMP '2023-08-12 08:22:00', TIMESTAMP '2023-09-01 00:00:00', 'US', 2.177),
    (4, 1, 'supplier-4', 'new', 981.38, 21, TIMESTAMP '2023-01-10 08:47:00', TIMESTAMP '2023-09-01 00:00:00', 'BR', 5.029),
    (5, 2, 'supplier-5', 'new', 666.62, 6, TIMESTAMP '2023-03-11 08:48:00', TIMESTAMP '2023-09-01 00:00:00', 'DE', 6.752);

CREATE TABLE shipment (
    id INTEGER,
    parent_id INTEGER,
    name VARCHAR,
    status VARCHAR,
    amount DECIMAL(12,2),
    qty INTEGER,
    created_at TIMESTAMP,
    updated_at TIMESTAMP,
    country VARCHAR,
    score DOUBLE
);

INSERT INTO shipment VALUES
    (1, NULL, 'shipment-1', 'void', 158.13, 37, TIMESTAMP '2023-04-10 08:49:00', TIMESTAMP '2023-09-01 00:00:00', 'DE', 4.192),
    (2, 1, 'shipment-2', 'closed', 268.72, 21, TIMESTAMP '2023-04-14 08:35:00', TIMESTAMP '2023-09-01 00:00:00', 'FR', 6.717),
    (3, 2, 'shipment-3', 'void', 415.41, 5, TIMESTAMP '2023-01-17 08:49:00', TIMESTAMP '2023-09-01 00:00:00', 'DE', 0.733),
    (4, 1, 'shipment-4', 'closed', 174.61, 23, TIMESTAMP '2023-02-13 08:33:00', TIMESTAMP '2023-09-01 00:00:00', 'US', 1.577),
    (5, 3, 'shipment-5', 'new', 876.38, 36, TIMESTAMP '2023-05-11 08:18:00', TIMESTAMP '2023-09-01 00:00:00', 'US', 1.154),
    (6, 1, 'shipment-6', 'open', 357.97, 19, TIMESTAMP '2023-04-15 08:23:00', TIMESTAMP '2023-09-01 00:00:00', 'US', 5.054);

CREATE TABLE invoice (
    id INTEGER,
    parent_id INTEGER,
    name VARCHAR,
    status VARCHAR,
    amount DECIMAL(12,2),
    qty INTEGER,
    created_at TIMESTAMP,
    updated_at TIMESTAMP,
    country VARCHAR,
    score DOUBLE
);

INSERT INTO invoice VALUES
    (1, NULL, 'invoice-1', 'new', 121.97, 28, TIMESTAMP '2023-05-10 08:10:00', TIMESTAMP '2023-09-01 00:00:00', 'US', 7.711),
    (2, 1, 'invoice-2', 'open', 972.54, 29, TIMESTAMP '2023-07-18 08:10:00', TIMESTAMP '2023-09-01 00:00:00', 'DE', 0.752),
    (3, 1, 'invoice-3', 'new', 484.93, 38, TIMESTAMP '2023-03-16 08:18:00', TIMESTAMP '2023-09-01 00:00:00', 'DE', 3.083),
    (4, 1, 'invoice-4', 'closed', 276.35, 16, TIMESTAMP '2023-02-15 08:45:00', TIMESTAMP '2023-09-01 00:00:00', 'BR', 9.738),
    (5, 2, 'invoice-5', 'open', 213.99, 12, TIMESTAMP '2023-07-10 08:21:00', TIMESTAMP '2023-09-01 00:00:00', 'US', 7.824),
    (6, 4, 'invoice-6', 'open', 350.70, 11, TIMESTAMP '2023-02-16 08:12:00', TIMESTAMP '2023-09-01 00:00:00', 'BR', 2.224),
    (7, 4, 'invoice-7', 'closed', 401.01, 15, TIMESTAMP '2023-04-10 08:52:00', TIMESTAMP '2023-09-01 00:00:00', 'FR', 3.985);

-- data quality: invoices whose parent was loaded in the same batch
WITH linked AS (
    SELECT
        c.id,
        c.name,
        c.amount,
        (c.parent_id IN (SELECT k.id FROM invoice AS k)) AS parent_exists,
        p.id IS NOT NULL AS parent_joined
    FROM invoice AS c
    LEFT JOIN invoice AS p ON c.parent_id = p.id
    WHERE c.status <> 'void'
),
totals AS (
    SELECT 'invoice' AS entity, count(*) AS n FROM invoice
)
SELECT l.id, l.name, l.amount, l.parent_exists, t.n
FROM linked AS l, totals AS t
WHERE l.parent_exists
ORDER BY l.amount DESC
LIMIT 25;
