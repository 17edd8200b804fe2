"""An array in GPU memory that every library can use without a copy.

numba-cuda's arrays have `__cuda_array_interface__`; DLPack, which JAX and others need, comes from
cuda.core, which numba-cuda installs. Only `kernels.py` imports this module.
"""

from __future__ import annotations

from typing import Any

from cuda.core.utils import StridedMemoryView
from numba.cuda.cudadrv.devicearray import DeviceNDArray

NO_WAITING = -1  # a batch does all its work on the default stream


class DeviceArray(DeviceNDArray):  # type: ignore[misc]
    """numba-cuda's array, with DLPack."""

    @classmethod
    def of(cls, array: Any, dtype: Any) -> DeviceArray:
        """The same memory, read as another type."""
        same = array.view(dtype)
        return cls(same.shape, same.strides, same.dtype, same.stream, same.gpu_data)

    def __dlpack__(self, **wishes: Any) -> Any:
        return self._view().__dlpack__(**wishes)

    def __dlpack_device__(self) -> Any:
        return self._view().__dlpack_device__()

    def _view(self) -> Any:
        return StridedMemoryView.from_cuda_array_interface(self, stream_ptr=NO_WAITING)
