SELECT UserID, SearchPhrase, count(*)
FROM bench.hits.hits
GROUP BY UserID, SearchPhrase
ORDER BY UserID, SearchPhrase
LIMIT 10
