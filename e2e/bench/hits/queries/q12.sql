SELECT SearchPhrase, count(*) AS c
FROM bench.hits.hits
WHERE SearchPhrase <> ''
GROUP BY SearchPhrase
ORDER BY c DESC, SearchPhrase
LIMIT 10
