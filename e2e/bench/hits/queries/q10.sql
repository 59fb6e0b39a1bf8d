SELECT MobilePhoneModel, count(DISTINCT UserID) AS u
FROM bench.hits.hits
WHERE MobilePhoneModel <> ''
GROUP BY MobilePhoneModel
ORDER BY u DESC, MobilePhoneModel
LIMIT 10
