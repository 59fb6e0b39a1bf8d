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
`
