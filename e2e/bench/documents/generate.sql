-- Documents as programs log them: 100 bytes, with text, numbers, a list and an object.
CREATE TABLE documents AS
SELECT
  i AS id,
  '{"id": ' || i || ', "name": "name ' || hash(i) % 1000 || '", "tags": ["a", "b"], "price": ' || (hash(i * 3) % 10000 / 100.0)::DECIMAL(6, 2)
    || ', "at": {"city": "city ' || hash(i * 5) % 100 || '", "floor": ' || hash(i * 7) % 40 || '}}' AS document
FROM range(scale()) r(i);
