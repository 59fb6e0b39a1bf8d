import { useMemo } from 'react'
import { useNavigate } from 'react-router'
import { useOffer, type Command } from '../../ui/commands.ts'
import { SECTIONS } from './sections.ts'

/** What the Settings screen offers in the command palette: its sections. */
export function useSettingsCommands(): void {
  const navigate = useNavigate()
  const commands = useMemo(
    () =>
      SECTIONS.map(({ id, label, icon: Icon }): Command => ({
        id: `settings-${id}`,
        group: 'Settings',
        label,
        icon: <Icon />,
        run: () => void navigate(`/settings/${id}`),
      })),
    [navigate],
  )
  useOffer(commands)
}
