SELECT json_extract_string(document, '$.name') AS name, count(*) AS rows FROM bench.documents.documents GROUP BY ALL ORDER BY ALL
