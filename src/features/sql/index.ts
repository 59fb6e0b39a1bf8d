export { warmSqlSession as prepareSql } from '../../engine/client.ts'
export { SqlRoot, type SqlRootProps } from './SqlRoot.tsx'
