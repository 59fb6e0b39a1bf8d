import Monitor from 'lucide-react/icons/monitor'
import Moon from 'lucide-react/icons/moon'
import Sun from 'lucide-react/icons/sun'
import { Choices } from '../../ui/fields/Choices.tsx'
import { setTheme, theme } from '../../ui/theme.ts'
import { useStore } from '../../ui/hooks/use-store.ts'
import { Card, SectionHeading } from './parts.tsx'

export default function AppearanceSection() {
  const current = useStore(theme)
  return (
    <>
      <SectionHeading id="appearance" />
      <Card title="Theme">
        <Choices
          label="Theme"
          value={current}
          onChange={setTheme}
          choices={[
            {
              value: 'system',
              label: 'System',
              hint: 'Follows this machine’s setting, day and night.',
              icon: <Monitor aria-hidden />,
            },
            { value: 'light', label: 'Light', hint: 'Always light.', icon: <Sun aria-hidden /> },
            { value: 'dark', label: 'Dark', hint: 'Always dark.', icon: <Moon aria-hidden /> },
          ]}
        />
      </Card>
    </>
  )
}
