SELECT regexp_replace(Referer, '^https?://(?:www\.)?([^/]+)/.*$', '\1') AS k, avg(strlen(Referer)) AS l, count(*) AS c, min(Referer)
FROM bench.hits.hits
WHERE Referer <> ''
GROUP BY k
HAVING count(*) > 1000
ORDER BY l DESC, k
LIMIT 25
