export { ConvertScreen } from './ConvertScreen.tsx'
export { ConvertProvider } from './context.tsx'
export { createConvertServices, type ConvertServices } from './store/services.ts'
