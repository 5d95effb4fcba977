// Runs before the first paint, so that a chosen theme never flashes. The page's policy forbids inline scripts.
const chosen = localStorage.getItem('theme');
if (chosen === 'light' || chosen === 'dark') document.documentElement.dataset.theme = chosen;
