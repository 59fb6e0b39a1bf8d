SELECT SearchEngineID, SearchPhrase, count(*) AS c
FROM bench.hits.hits
WHERE SearchPhrase <> ''
GROUP BY SearchEngineID, SearchPhrase
ORDER BY c DESC, SearchEngineID, SearchPhrase
LIMIT 10
