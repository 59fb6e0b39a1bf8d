export { ReferenceScreen } from './ReferenceRoute.tsx'
