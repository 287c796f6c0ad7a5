"""The widgets of the chapter on linear attention: lift, two orders, state, cost."""

from .causal_state import CausalState
from .kernel_lift import KernelLift
from .measured_cost import MeasuredCost
from .product_order import ProductOrder

__all__ = ["CausalState", "KernelLift", "MeasuredCost", "ProductOrder"]
