export { ReferenceScreen } from './ReferenceScreen.tsx'
