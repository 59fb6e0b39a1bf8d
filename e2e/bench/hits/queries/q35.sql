SELECT ClientIP, ClientIP - 1, ClientIP - 2, ClientIP - 3, count(*) AS c
FROM bench.hits.hits
GROUP BY ClientIP, ClientIP - 1, ClientIP - 2, ClientIP - 3
ORDER BY c DESC, ClientIP
LIMIT 10
