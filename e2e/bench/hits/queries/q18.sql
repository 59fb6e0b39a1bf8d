SELECT UserID, extract(minute FROM EventTime) AS m, SearchPhrase, count(*)
FROM bench.hits.hits
GROUP BY UserID, m, SearchPhrase
ORDER BY count(*) DESC, UserID, m, SearchPhrase
LIMIT 10
