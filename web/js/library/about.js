import { element } from '../shared/drawing/element.js';

/** All tags of files, in alphabetical order. */
export const tagsOf = (files) => [...new Set(files.flatMap(({ about }) => about?.tags ?? []))]
  .sort((one, other) => one.localeCompare(other));

/** Title of a file; its name without one. */
export const titleOf = ({ about, name }) => about?.title ?? name;

/** Words that a search finds, besides name and kind. */
export const aboutWords = ({ about }) => (about ? [about.title, about.text, ...about.tags ?? []].filter(Boolean).join(' ') : '');

/** Whether a file may be described: those in folders that are only read may not. */
export const isDescribable = ({ place }) => !/^(folder|named)\d/.test(place);

/** The address of a file's picture; null without one. */
export function coverAddress({ place, name, about }) {
  if (!about?.cover) return null;
  const path = `${name}.${about.cover}`.split('/').map(encodeURIComponent).join('/');
  return `/library/covers/${place}/${path}?${about.coverChanged ?? 0}`;
}

/** Tags in a text with commas between them. */
export const tagsIn = (text) => [...new Set(text.split(',').map((tag) => tag.trim()).filter(Boolean))];

/**
 * The message that changes the words about a file.
 *
 * @param cover name of a picture that was sent, null to remove the current one, undefined to keep it
 */
export function aboutMessage({ place, name }, { title, text, tags, cover }) {
  const tagList = tagsIn(tags);
  const message = {
    file: `${place}/${name}`, title: title.trim() || null, text: text.trim() || null, tags: tagList.length > 0 ? tagList : null,
  };
  return JSON.stringify(cover === undefined ? message : { ...message, cover });
}

/** The picture of a file; null without one. */
export function coverPicture(file) {
  const address = coverAddress(file);
  return address && element('img', { class: 'library-cover', src: address, alt: '', loading: 'lazy', width: 36, height: 36 });
}
