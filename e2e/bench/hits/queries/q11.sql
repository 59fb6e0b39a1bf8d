SELECT MobilePhone, MobilePhoneModel, count(DISTINCT UserID) AS u
FROM bench.hits.hits
WHERE MobilePhoneModel <> ''
GROUP BY MobilePhone, MobilePhoneModel
ORDER BY u DESC, MobilePhone, MobilePhoneModel
LIMIT 10
