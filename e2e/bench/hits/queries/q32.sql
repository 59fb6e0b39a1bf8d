SELECT WatchID, ClientIP, count(*) AS c, sum(IsRefresh), avg(ResolutionWidth)
FROM bench.hits.hits
GROUP BY WatchID, ClientIP
ORDER BY c DESC, WatchID, ClientIP
LIMIT 10
