import { Command as Cmdk } from 'cmdk'
import Monitor from 'lucide-react/icons/monitor'
import Moon from 'lucide-react/icons/moon'
import Sun from 'lucide-react/icons/sun'
import { useNavigate } from 'react-router'
import { useCommands, type Command } from '../ui/commands.ts'
import { setTheme } from '../ui/theme.ts'
import { SCREENS } from './screens.ts'
import css from './Palette.module.css'

const THEMES: readonly Command[] = [
  { id: 'theme-system', group: 'Theme', label: 'Theme: system', icon: <Monitor />, run: () => setTheme('system') },
  {
    id: 'theme-light',
    group: 'Theme',
    label: 'Theme: light',
    icon: <Sun />,
    keywords: ['bright'],
    run: () => setTheme('light'),
  },
  {
    id: 'theme-dark',
    group: 'Theme',
    label: 'Theme: dark',
    icon: <Moon />,
    keywords: ['night'],
    run: () => setTheme('dark'),
  },
]

/** Everything that can be done from here, found by typing. */
export default function Palette({ onClose }: { readonly onClose: () => void }) {
  const navigate = useNavigate()
  const offered = useCommands()
  const screens = SCREENS.map(({ path, label, icon: Icon }): Command => ({
    id: path,
    group: 'Go to',
    label,
    icon: <Icon />,
    run: () => void navigate(path),
  }))
  const groups = Map.groupBy([...screens, ...offered, ...THEMES], (command) => command.group)
  return (
    <Cmdk.Dialog
      open
      onOpenChange={(open) => (open ? undefined : onClose())}
      label="Commands"
      overlayClassName={css.overlay ?? ''}
      contentClassName={css.content ?? ''}
      className={css.palette}
      loop
    >
      <Cmdk.Input placeholder="What do you want to do?" aria-label="Find a command" className={css.input} />
      <Cmdk.List className={css.list} label="Commands">
        <Cmdk.Empty className={css.empty}>No command is called that.</Cmdk.Empty>
        {[...groups].map(([group, commands]) => (
          <Cmdk.Group key={group} heading={group} className={css.group}>
            {commands.map((command) => (
              <Cmdk.Item
                key={command.id}
                value={`${command.label} ${command.id}`}
                keywords={[...(command.keywords ?? [])]}
                className={css.item}
                onSelect={() => {
                  onClose()
                  command.run()
                }}
              >
                {command.icon}
                {command.label}
              </Cmdk.Item>
            ))}
          </Cmdk.Group>
        ))}
      </Cmdk.List>
    </Cmdk.Dialog>
  )
}
