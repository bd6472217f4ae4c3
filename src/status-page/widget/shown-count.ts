/** How many notices the script of the widget shows. */
export const shownCount = 3;
