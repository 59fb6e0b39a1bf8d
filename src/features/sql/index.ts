export { SqlRoot, type SqlRootProps } from './SqlRoot.tsx'
