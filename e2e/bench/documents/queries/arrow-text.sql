SELECT document ->> '$.at.city' AS city, count(*) AS rows FROM bench.documents.documents GROUP BY ALL ORDER BY ALL
