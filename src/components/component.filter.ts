import { createFilterType } from '../graphql/filters.js';
import { Component } from './component.entity.js';

export const ComponentFilter = createFilterType(Component, { except: ['metadata'] });
