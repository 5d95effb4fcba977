import { useLingui } from '@lingui/react/macro';
import { Languages, MonitorCog } from 'lucide-react';
import { IconButton } from '../parts/button.jsx';
import { Menu } from '../parts/menu.jsx';
import { useErrorWords } from '../parts/states.jsx';
import { useToast } from '../parts/toasts.jsx';
import { chooseLanguage, LANGUAGES, type Language } from './language.js';
import { THEMES, useTheme } from './theme.js';

/** Theme and language: at the foot of the navigation, and beside the forms of people without a session. */
export function PreferenceMenus() {
  const { t, i18n } = useLingui();
  const { theme, choose } = useTheme();
  const words = { system: t`As the system`, light: t`Light`, dark: t`Dark` };
  const toast = useToast();
  const errorWords = useErrorWords();
  const speak = (language: Language) =>
    chooseLanguage(language).catch((error: unknown) =>
      toast({ title: t`The language was not changed`, description: errorWords(error) }),
    );
  return (
    <div className="flex">
      <Menu
        trigger={
          <IconButton label={t`Theme`}>
            <MonitorCog aria-hidden />
          </IconButton>
        }
        groups={[
          {
            actions: THEMES.map((name) => ({
              label: words[name],
              isChecked: name === theme,
              onChoose: () => choose(name),
            })),
          },
        ]}
      />
      <Menu
        trigger={
          <IconButton label={t`Language`}>
            <Languages aria-hidden />
          </IconButton>
        }
        groups={[
          {
            actions: Object.entries(LANGUAGES).map(([id, label]) => ({
              label,
              isChecked: id === i18n.locale,
              onChoose: () => void speak(id as Language),
            })),
          },
        ]}
      />
    </div>
  );
}
