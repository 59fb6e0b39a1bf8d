SELECT sum((document ->> 'price')::DECIMAL(6, 2)) AS price FROM bench.documents.documents
