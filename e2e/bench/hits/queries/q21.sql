SELECT SearchPhrase, min(URL), count(*) AS c
FROM bench.hits.hits
WHERE URL LIKE '%google%' AND SearchPhrase <> ''
GROUP BY SearchPhrase
ORDER BY c DESC, SearchPhrase
LIMIT 10
