SELECT CounterID, avg(strlen(URL)) AS l, count(*) AS c
FROM bench.hits.hits
WHERE URL <> ''
GROUP BY CounterID
HAVING count(*) > 1000
ORDER BY l DESC, CounterID
LIMIT 25
