SELECT SearchPhrase, count(DISTINCT UserID) AS u
FROM bench.hits.hits
WHERE SearchPhrase <> ''
GROUP BY SearchPhrase
ORDER BY u DESC, SearchPhrase
LIMIT 10
