SELECT SearchPhrase, min(URL), min(Title), count(*) AS c, count(DISTINCT UserID)
FROM bench.hits.hits
WHERE Title LIKE '%Google%' AND URL NOT LIKE '%.google.%' AND SearchPhrase <> ''
GROUP BY SearchPhrase
ORDER BY c DESC, SearchPhrase
LIMIT 10
