/** Reads text by a format, but not by one that names zones: without ICU their names would be passed over, any of them. */
const reading = (name: string): string => `
  CREATE MACRO memory.main.${name}(text, format) AS CASE
    WHEN regexp_matches(format::VARCHAR, '(^|[^%])(%%)*%Z') THEN error('Time zones can’t be read by their names here, so ${name} has no %Z. Offsets such as +02:00 can, with %z.')
    ELSE system.main.${name}(text, format) END;`

/**
 * What DuckDB leaves to its ICU extension, which isn't here. Without a zone: nothing else here could take apart what
 * has one.
 */
export const CLOCK = `
  CREATE MACRO memory.main.now() AS system.main.get_current_timestamp()::TIMESTAMP;
  CREATE MACRO memory.main.current_localtimestamp() AS system.main.get_current_timestamp()::TIMESTAMP;
  CREATE MACRO memory.main.today() AS system.main.get_current_timestamp()::TIMESTAMP::DATE;
  CREATE MACRO memory.main.current_date() AS system.main.get_current_timestamp()::TIMESTAMP::DATE;
  CREATE MACRO memory.main.get_current_time() AS system.main.get_current_timestamp()::TIMESTAMP::TIME;
  CREATE MACRO memory.main.current_localtime() AS system.main.get_current_timestamp()::TIMESTAMP::TIME;
  ${reading('strptime')}
  ${reading('try_strptime')}
`
