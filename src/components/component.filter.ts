import { filterOf } from '../graphql/filters.js';
import { Component } from './component.entity.js';

export const ComponentFilter = filterOf(Component);
