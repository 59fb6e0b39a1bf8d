SELECT UserID, SearchPhrase, count(*)
FROM bench.hits.hits
GROUP BY UserID, SearchPhrase
ORDER BY count(*) DESC, UserID, SearchPhrase
LIMIT 10
