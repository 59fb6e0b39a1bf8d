SELECT SearchEngineID, ClientIP, count(*) AS c, sum(IsRefresh), avg(ResolutionWidth)
FROM bench.hits.hits
WHERE SearchPhrase <> ''
GROUP BY SearchEngineID, ClientIP
ORDER BY c DESC, SearchEngineID, ClientIP
LIMIT 10
