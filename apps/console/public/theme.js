// Runs before the first paint, so that a chosen theme never flashes. The page's policy forbids inline scripts.
const applyTheme = (theme) => {
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
  else delete document.documentElement.dataset.theme;
};
const applyChosen = () => applyTheme(localStorage.getItem('theme'));
applyChosen();
// Paper is white, whatever the screen is.
addEventListener('beforeprint', () => applyTheme('light'));
addEventListener('afterprint', applyChosen);
