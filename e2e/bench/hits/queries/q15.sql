SELECT UserID, count(*) FROM bench.hits.hits GROUP BY UserID ORDER BY count(*) DESC, UserID LIMIT 10
