CREATE SCHEMA my;;
CREATE SCHEMA shop;;
CREATE SEQUENCE seq INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START 7 NO CYCLE;;
CREATE TYPE size AS ENUM ( 's', 'm', 'l' );;;
CREATE TABLE stock(item VARCHAR PRIMARY KEY, n INTEGER, d DECIMAL(38,4) DEFAULT(1.5), CHECK((n >= 0)));;
CREATE MACRO plus (a, b := 1) AS ((a + b));;
CREATE MACRO top (n) AS TABLE (SELECT id, amount FROM orders ORDER BY amount DESC, id LIMIT n);;
CREATE MACRO over1 (a) AS (a), (a, b) AS ((a * b));;
CREATE VIEW events AS SELECT * FROM "events.parquet";;
CREATE VIEW orders AS SELECT * FROM "orders.csv";;
CREATE VIEW sales_jan AS SELECT * FROM "sales/jan.csv";;
CREATE VIEW v AS SELECT * FROM "orders.csv" WHERE (amount > 200);;
CREATE VIEW v2 AS SELECT * FROM read_csv('sales/*.csv', (union_by_name = CAST('t' AS BOOLEAN)));;

