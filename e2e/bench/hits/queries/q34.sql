SELECT 1, URL, count(*) AS c FROM bench.hits.hits GROUP BY 1, URL ORDER BY c DESC, URL LIMIT 10
