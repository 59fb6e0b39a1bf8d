-- A table like ClickBench's: its 105 columns, and values that are as often there, made from row numbers alone.
-- Macro `scale()` gives the number of rows.

-- The outer hash mixes: those of one row under two salts differ in the same bits everywhere.
CREATE MACRO random_of(id, salt) AS hash(hash(id, salt));
CREATE MACRO pick(id, salt, low, high) AS low + (random_of(id, salt) % (high - low + 1)::UBIGINT)::BIGINT;
CREATE MACRO one_of(id, salt, words) AS words[pick(id, salt, 1, len(words))];
CREATE MACRO share(id, salt) AS (random_of(id, salt) % 1000000000) / 1000000000;
-- 1 to n, where n is n times as rare as 1: by Zipf's law.
CREATE MACRO ranked(id, salt, n) AS floor(exp(share(id, salt) * ln(n + 1)))::BIGINT;
CREATE MACRO big(id, salt) AS (random_of(id, salt) >> 1)::BIGINT;
CREATE MACRO int32(id, salt) AS pick(id, salt, -2147483648, 2147483647)::INTEGER;
-- 1 in `of_rows`, else 0.
CREATE MACRO flag(id, salt, of_rows) AS (random_of(id, salt) % of_rows = 0)::SMALLINT;
CREATE MACRO rarely(id, salt, of_rows, v) AS CASE WHEN random_of(id, salt) % of_rows = 0 THEN v ELSE 0 END::SMALLINT;

CREATE TABLE words AS SELECT
  ['купить', 'смотреть', 'онлайн', 'бесплатно', 'в', 'москве', 'цена', 'отзывы', 'фото', 'видео', 'скачать', 'игры',
   'карта', 'погода', 'санкт-петербург', 'авто', 'квартира', 'снять', 'рецепт', 'фильм', 'сезон', 'серия', '2013',
   'расписание', 'одежда', 'интернет', 'магазин', 'телефон', 'как', 'сделать', 'для', 'дома', 'на', 'из', 'пошагово',
   'работа', 'турция', 'отель', 'билеты', 'поезд', 'диваны', 'кухни', 'детский', 'сад', 'школа', 'ответы', 'вконтакте',
   'galaxy', 'samsung', 'iphone', 'windows', 'игра', 'новости', 'сегодня', 'курс', 'доллара', 'гороскоп', 'любовь',
   'стихи', 'песни', 'слова', 'аккорды', 'порода', 'собак'] AS russian,
  ['catalog', 'search', 'news', 'forum', 'auto', 'realty', 'images', 'photo', 'video', 'mail', 'index', 'item', 'sale',
   'list', 'city', 'moscow', 'user', 'page', 'filter', 'model', 'cars', 'flat', 'rent', 'shop', 'cat', 'product',
   'category', 'thread', 'topic', 'album', 'login', 'profile', 'view', 'main', 'game', 'level', 'music', 'weather'] AS paths,
  ['irr.ru', 'auto.ru', 'smeshariki.ru', 'yandex.ru', 'mail.ru', 'bonprix.ru', 'komme.com', 'tours-otel.ru', 'kinopoisk.ru',
   'vk.com', 'slovari.ru', 'diary.ru', 'saint-tropez.info', 'avito.ru', 'gismeteo.ru', 'sprashivai.ru', 'holodilnik.ru',
   'livejournal.com', 'loveplanet.ru', 'dom2.ru', 'e96.ru', 'rambler.ru', 'tutu.ru', 'ozon.ru', 'wildberries.ru'] AS hosts;

CREATE MACRO phrase(id, salt, russian, n) AS
  array_to_string([russian[1 + (random_of(id * 16 + k, salt) % 64)::BIGINT] FOR k IN range(n)], ' ');
CREATE MACRO address(id, hosts, paths) AS format('http://{}{}/{}/{}{}{}',
  CASE WHEN random_of(id, 'www') % 3 = 0 THEN 'www.' ELSE '' END,
  CASE WHEN random_of(id, 'google') % 4000 = 0 THEN 'google.com' ELSE hosts[ranked(id, 'host', 25)] END,
  one_of(id, 'path 1', paths),
  one_of(id, 'path 2', paths),
  CASE WHEN random_of(id, 'deep') % 3 = 0 THEN format('/{}_{}.html', one_of(id, 'path 3', paths), pick(id, 'page', 1, 99999)) ELSE '/' END,
  CASE WHEN random_of(id, 'query') % 2 = 0 THEN format('?{}={}&{}_id={}', one_of(id, 'p', paths), pick(id, 'v', 1, 9999999), one_of(id, 'q', paths), pick(id, 'w', 1, 99999)) ELSE '' END);

-- Pages, phrases and people are the same in many rows: the first of each in the most.
CREATE TABLE raw AS
SELECT
  i,
  ranked(i, 'counter', 6500) AS counter,
  floor(pow(share(i, 'user'), 2) * scale() / 4)::BIGINT AS person,
  -- A page is of one counter.
  ranked(i, 'page', 60000) * 6500 + ranked(i, 'counter', 6500) AS page,
  TIMESTAMP '2013-07-01 20:00:00' + to_seconds(pick(i, 'time', 0, 30 * 86400)) AS moment,
  random_of(i, 'phrase') % 100 < 13 AS searched,
  ranked(i, 'phrase no', scale() // 10) AS phrase_id
FROM range(scale()) t(i);

CREATE TABLE hits AS
SELECT
  big(i, 'WatchID') AS WatchID,
  1 - flag(person, 'JavaEnable', 5) AS JavaEnable,
  CASE WHEN random_of(page, 'untitled') % 7 = 0 THEN ''
    ELSE phrase(page, 'title', russian, pick(page, 'title words', 2, 10)) || CASE WHEN random_of(page, 'Google') % 3000 = 0 THEN ' - Google' ELSE ' | ' || hosts[ranked(page, 'host', 25)] END
  END AS Title,
  1::SMALLINT AS GoodEvent,
  moment AS EventTime,
  moment::DATE AS EventDate,
  counter::INTEGER AS CounterID,
  (person * 7 + pick(i, 'ClientIP', 0, 2))::INTEGER * 1013 AS ClientIP,
  (CASE WHEN random_of(person, 'home') % 5 = 0 THEN 229 ELSE ranked(person, 'RegionID', 9000) END)::INTEGER AS RegionID,
  CASE WHEN person = 0 THEN 435090932899640449 ELSE big(person, 'UserID') END AS UserID,
  rarely(counter, 'CounterClass', 3, pick(counter, 'class', -1, 1)) AS CounterClass,
  one_of(person, 'OS', [44, 44, 44, 45, 2, 2, 2, 107, 157, 5, 6, 89])::SMALLINT AS OS,
  one_of(person, 'UserAgent', [5, 5, 5, 7, 7, 3, 3, 4, 82, 28, 33, 65])::SMALLINT AS UserAgent,
  address(page, hosts, paths) AS URL,
  CASE WHEN random_of(i, 'no referer') % 5 = 0 THEN '' ELSE address(ranked(i, 'referer', 40000) * 31 + counter, hosts, paths) END AS Referer,
  flag(i, 'IsRefresh', 7) AS IsRefresh,
  rarely(i, 'RefererCategoryID', 3, ranked(i, 'rc', 20000)) AS RefererCategoryID,
  (CASE WHEN random_of(i, 'no referer') % 5 = 0 THEN 0 ELSE ranked(i, 'rr', 1500) END)::INTEGER AS RefererRegionID,
  rarely(page, 'URLCategoryID', 2, ranked(page, 'uc', 20000)) AS URLCategoryID,
  ranked(counter, 'URLRegionID', 1500)::INTEGER AS URLRegionID,
  one_of(person, 'ResolutionWidth', [1366, 1366, 1280, 1280, 1920, 1024, 1600, 1440, 1680, 320, 768, 1638, 1996, 2560])::SMALLINT AS ResolutionWidth,
  one_of(person, 'ResolutionHeight', [768, 768, 1024, 800, 1080, 900, 1050, 480, 1440])::SMALLINT AS ResolutionHeight,
  one_of(person, 'ResolutionDepth', [32, 32, 32, 24, 24, 16, 23])::SMALLINT AS ResolutionDepth,
  one_of(person, 'FlashMajor', [11, 11, 11, 11, 10, 0, 15])::SMALLINT AS FlashMajor,
  pick(person, 'FlashMinor', 0, 9)::SMALLINT AS FlashMinor,
  one_of(person, 'FlashMinor2', ['700', '700', '800', '224', '0', '11', '7', '']) AS FlashMinor2,
  rarely(person, 'NetMajor', 2, pick(person, 'net', 2, 4)) AS NetMajor,
  rarely(person, 'NetMinor', 3, pick(person, 'nm', 0, 5)) AS NetMinor,
  pick(person, 'UserAgentMajor', 1, 35)::SMALLINT AS UserAgentMajor,
  one_of(person, 'UserAgentMinor', ['Dж', 'sOBA', '0', '5', '42', '']) AS UserAgentMinor,
  1::SMALLINT AS CookieEnable,
  1::SMALLINT AS JavascriptEnable,
  flag(person, 'mobile', 18) AS IsMobile,
  CASE WHEN flag(person, 'mobile', 18) = 1 THEN ranked(person, 'MobilePhone', 90) ELSE 0 END::SMALLINT AS MobilePhone,
  CASE WHEN flag(person, 'mobile', 18) = 1 THEN one_of(ranked(person, 'model', 160), 'model', ['iPad', 'iPhone', 'A500', 'N8-00', 'GT-I9300', 'ONE TOUCH 6030A', 'GT-P7300B', '3110000', 'eagle75', 'LG Optimus']) || repeat('+', (ranked(person, 'model', 160) // 20)::INTEGER) ELSE '' END AS MobilePhoneModel,
  CASE WHEN random_of(i, 'Params') % 50 = 0 THEN format('{{"param":{}}}', pick(i, 'param', 1, 99)) ELSE '' END AS Params,
  ranked(person, 'IPNetworkID', 4000000)::INTEGER AS IPNetworkID,
  one_of(i, 'TraficSourceID', [-1, -1, -1, 0, 0, 1, 2, 2, 3, 5, 6, 9])::SMALLINT AS TraficSourceID,
  CASE WHEN searched THEN one_of(i, 'SearchEngineID', [2, 2, 2, 2, 3, 3, 13, 4, 13, 44]) ELSE 0 END::SMALLINT AS SearchEngineID,
  CASE WHEN searched THEN phrase(phrase_id, 'search', russian, pick(phrase_id, 'search words', 1, 6)) ELSE '' END AS SearchPhrase,
  rarely(i, 'AdvEngineID', 159, one_of(i, 'adv', [2, 2, 2, 2, 2, 27, 13, 45, 44, 3, 62])) AS AdvEngineID,
  flag(i, 'IsArtifical', 13) AS IsArtifical,
  one_of(person, 'WindowClientWidth', [1349, 1903, 1263, 1020, 1583, 1423, 360, 1087, 1845])::SMALLINT AS WindowClientWidth,
  pick(person, 'WindowClientHeight', 400, 1000)::SMALLINT AS WindowClientHeight,
  one_of(person, 'ClientTimeZone', [135, 135, 135, 135, -1, 217, 66])::SMALLINT AS ClientTimeZone,
  moment + to_seconds(pick(i, 'clock', -40, 4000)) AS ClientEventTime,
  one_of(person, 'Silverlight', [0, 0, 4, 5, 5])::SMALLINT AS SilverlightVersion1,
  rarely(person, 'SilverlightVersion2', 2, 1) AS SilverlightVersion2,
  one_of(person, 'SilverlightVersion3', [0, 0, 20125, 50428, 60531])::INTEGER AS SilverlightVersion3,
  0::SMALLINT AS SilverlightVersion4,
  one_of(counter, 'PageCharset', ['windows', 'utf-8', 'utf-8', 'windows-1251;charset', 'koi8-r']) AS PageCharset,
  one_of(counter, 'CodeVersion', [291, 1601, 1601, 1601, 286])::INTEGER AS CodeVersion,
  flag(i, 'IsLink', 40) AS IsLink,
  flag(i, 'IsDownload', 900) AS IsDownload,
  flag(i, 'IsNotBounce', 3) AS IsNotBounce,
  CASE WHEN random_of(i, 'uniq') % 2 = 0 THEN big(person, 'FUniqID') ELSE 0 END AS FUniqID,
  CASE WHEN random_of(i, 'original') % 4 = 0 THEN address(page, hosts, paths) ELSE '' END AS OriginalURL,
  pick(i, 'HID', 0, 1073741823)::INTEGER AS HID,
  flag(counter, 'IsOldCounter', 300) AS IsOldCounter,
  flag(i, 'IsEvent', 200) AS IsEvent,
  flag(i, 'IsParameter', 500) AS IsParameter,
  flag(i, 'DontCountHits', 10) AS DontCountHits,
  flag(i, 'WithHash', 30) AS WithHash,
  one_of(i, 'HitColor', ['5', 'g', 'T', 'h', 'S']) AS HitColor,
  moment + INTERVAL 4 HOUR AS LocalEventTime,
  rarely(person, 'known', 3, one_of(person, 'Age', [16, 22, 26, 31, 39, 50])) AS Age,
  rarely(person, 'known', 3, pick(person, 'Sex', 1, 2)) AS Sex,
  rarely(person, 'known', 3, pick(person, 'Income', 1, 4)) AS Income,
  rarely(person, 'known', 3, pick(person, 'Interests', 0, 32767)) AS Interests,
  rarely(person, 'Robotness', 50, 4) AS Robotness,
  int32(person, 'RemoteIP') AS RemoteIP,
  int32(i, 'WindowName') AS WindowName,
  CASE WHEN random_of(i, 'opened') % 3 = 0 THEN int32(i, 'OpenerName') ELSE -1 END AS OpenerName,
  ranked(i, 'HistoryLength', 50)::SMALLINT AS HistoryLength,
  one_of(person, 'BrowserLanguage', ['ru', 'ru', 'ru', 'en', 'S0', '']) AS BrowserLanguage,
  one_of(person, 'BrowserCountry', ['RU', 'RU', 'UA', 'h1', '']) AS BrowserCountry,
  CASE WHEN random_of(i, 'social') % 2000 = 0 THEN 'vkontakte' ELSE '' END AS SocialNetwork,
  CASE WHEN random_of(i, 'social') % 2000 = 0 THEN one_of(i, 'action', ['like', 'share']) ELSE '' END AS SocialAction,
  rarely(i, 'HTTPError', 5000, 404) AS HTTPError,
  ranked(i, 'SendTiming', 20000)::INTEGER AS SendTiming,
  ranked(i, 'DNSTiming', 500)::INTEGER - 1 AS DNSTiming,
  ranked(i, 'ConnectTiming', 2000)::INTEGER - 1 AS ConnectTiming,
  ranked(i, 'ResponseStartTiming', 10000)::INTEGER AS ResponseStartTiming,
  ranked(i, 'ResponseEndTiming', 10000)::INTEGER AS ResponseEndTiming,
  ranked(i, 'FetchTiming', 30000)::INTEGER AS FetchTiming,
  rarely(i, 'SocialSourceNetworkID', 150, pick(i, 'ssn', 1, 12)) AS SocialSourceNetworkID,
  '' AS SocialSourcePage,
  CASE WHEN random_of(i, 'ordered') % 4000 = 0 THEN pick(i, 'ParamPrice', 100, 9999999) ELSE 0 END AS ParamPrice,
  CASE WHEN random_of(i, 'ordered') % 4000 = 0 THEN 'A' || pick(i, 'ParamOrderID', 1, 9999999) ELSE '' END AS ParamOrderID,
  CASE WHEN random_of(i, 'ordered') % 4000 = 0 THEN 'RUB' ELSE 'NHж' END AS ParamCurrency,
  rarely(i, 'ordered', 4000, 643) AS ParamCurrencyID,
  CASE WHEN random_of(i, 'openstat') % 300 = 0 THEN one_of(i, 'service', ['begun.ru', 'direct.yandex.ru', 'market.yandex.ru']) ELSE '' END AS OpenstatServiceName,
  CASE WHEN random_of(i, 'openstat') % 300 = 0 THEN pick(i, 'campaign', 1, 99999)::VARCHAR ELSE '' END AS OpenstatCampaignID,
  CASE WHEN random_of(i, 'openstat') % 300 = 0 THEN pick(i, 'ad', 1, 99999)::VARCHAR ELSE '' END AS OpenstatAdID,
  CASE WHEN random_of(i, 'openstat') % 300 = 0 THEN 'yandex.ru:premium' ELSE '' END AS OpenstatSourceID,
  CASE WHEN random_of(i, 'utm') % 60 = 0 THEN one_of(i, 'UTMSource', ['yandex', 'google', 'begun', 'direct']) ELSE '' END AS UTMSource,
  CASE WHEN random_of(i, 'utm') % 60 = 0 THEN 'cpc' ELSE '' END AS UTMMedium,
  CASE WHEN random_of(i, 'utm') % 60 = 0 THEN 'campaign_' || ranked(i, 'UTMCampaign', 500) ELSE '' END AS UTMCampaign,
  CASE WHEN random_of(i, 'utm') % 120 = 0 THEN pick(i, 'UTMContent', 1, 999999)::VARCHAR ELSE '' END AS UTMContent,
  CASE WHEN random_of(i, 'utm') % 180 = 0 THEN one_of(i, 'UTMTerm', russian) ELSE '' END AS UTMTerm,
  CASE WHEN random_of(i, 'from') % 500 = 0 THEN one_of(i, 'FromTag', ['ad', 'rss', 'direct', 'kp']) ELSE '' END AS FromTag,
  flag(i, 'HasGCLID', 80) AS HasGCLID,
  big(ranked(i, 'referer', 40000) * 31 + counter, 'RefererHash') AS RefererHash,
  big(page, 'URLHash') AS URLHash,
  rarely(i, 'CLID', 50, ranked(i, 'clid', 30000))::INTEGER AS CLID
FROM raw, words
ORDER BY CounterID, EventDate, UserID, EventTime, WatchID;

DROP TABLE raw;
DROP TABLE words;
